// The buttons beside the sound: speed, sides, systems, the link to a moment.
import { copyAddress } from "./clipboard.js";

export function bindTools(box, player, sounds, mixer) {
  box.querySelector("[data-tools]").hidden = false;
  box.querySelector("[data-help]").hidden = false;
  const speed = box.querySelector("[data-speed]");
  speed.addEventListener("change", () => (player.audio.playbackRate = Number(speed.value)));
  bindSides(box, mixer);
  bindSystems(box, player, sounds);
  bindLink(box, player);
}

/** ``0:07.330`` as on the page. */
export function formatClock(seconds) {
  const thousandths = Math.round(seconds * 1000);
  const rest = ((thousandths % 60000) / 1000).toFixed(3).padStart(6, "0");
  return `${Math.floor(thousandths / 60000)}:${rest}`;
}

function bindSides(box, mixer) {
  const buttons = [...box.querySelectorAll("[data-mute], [data-solo]")];
  for (const button of buttons) {
    button.addEventListener("click", () => {
      const { mute, solo } = button.dataset;
      if (mute) mixer.mute(mute);
      else mixer.only(solo);
      for (const one of buttons) one.setAttribute("aria-pressed", isPressed(one.dataset, mixer));
    });
  }
}

function isPressed({ mute, solo }, mixer) {
  return mute ? mixer.muted[mute] : mixer.solo === solo;
}

function bindSystems(box, player, sounds) {
  const addresses = new Map(
    sounds.map((figure) => [figure.dataset.sound, figure.querySelector("audio").src]),
  );
  for (const choice of box.querySelectorAll("input[name=heard]")) {
    choice.addEventListener("change", () => player.load(addresses.get(choice.value)));
  }
}

function bindLink(box, player) {
  const button = box.querySelector("[data-copy]");
  const shown = box.querySelector("[data-copied]");
  button.addEventListener("click", () => copyAddress(addressOf(player), button, shown));
}

function addressOf(player) {
  const { moment, time } = player;
  const address = new URL(location.href);
  const start = (moment?.start ?? time).toFixed(3);
  const isStretch = moment && moment.end > moment.start;
  address.searchParams.set("t", isStretch ? `${start}-${moment.end.toFixed(3)}` : start);
  return address.href;
}
