// The keyboard of the player; the help beside it lists the same keys.
const FIELDS = "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]";
// What answers to the space bar, or to arrows, by itself.
const OWN_SPACE = "button, summary, audio, input";
const OWN_ARROWS = "audio, input[type=radio], .scroller:not(.timeline)";
// Going back within this time of an event leads to the one before it, seconds.
const JUST_PASSED = 0.3;
const JUST_AHEAD = 0.01;

export function bindKeys(box, player, moments) {
  const isOn = box.querySelector("[data-keys]");
  const speed = box.querySelector("[data-speed]");
  const step = (seconds) => () => player.seek(player.time + seconds);
  const actions = {
    " ": () => player.toggle(),
    k: () => player.toggle(),
    j: step(-3),
    l: step(3),
    "[": () => player.seek(before(moments, player.time)),
    "]": () => player.seek(after(moments, player.time)),
    "+": () => shiftSpeed(speed, 1),
    "=": () => shiftSpeed(speed, 1),
    "-": () => shiftSpeed(speed, -1),
  };
  document.addEventListener("keydown", (event) => {
    if (!isOn.checked || !isFree(event)) return;
    const action = arrow(event, step) ?? actions[event.key.toLowerCase()] ?? number(box, event.key);
    if (!action) return;
    event.preventDefault();
    action();
  });
}

function isFree(event) {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest(FIELDS)) return false;
  if (key === " ") return !target.closest(OWN_SPACE);
  return !(key.startsWith("Arrow") && target.closest(OWN_ARROWS));
}

function arrow({ key, shiftKey }, step) {
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[key];
  return direction && step(direction * (shiftKey ? 5 : 1));
}

/** 1 to 4 choose the system that is heard. */
function number(box, key) {
  const choice = box.querySelectorAll("input[name=heard]")[Number(key) - 1];
  return choice && (() => choice.click());
}

function before(moments, time) {
  return moments.findLast((moment) => moment < time - JUST_PASSED) ?? 0;
}

function after(moments, time) {
  return moments.find((moment) => moment > time + JUST_AHEAD) ?? time;
}

function shiftSpeed(select, direction) {
  const index = select.selectedIndex + direction;
  if (index < 0 || index >= select.options.length) return;
  select.selectedIndex = index;
  select.dispatchEvent(new Event("change"));
}
