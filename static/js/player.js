// Plays a dialogue along its lanes; without this file the sound, all numbers and all links work.
import { Lanes } from "./player-lanes.js";
import { Mixer } from "./player-mix.js";
import { bindKeys } from "./player-keys.js";
import { bindTools, formatClock } from "./player-tools.js";
import { Words } from "./player-words.js";

/** One sound with its place in time; whoever listens is told of every change of it. */
export class Player {
  constructor(audio, duration) {
    this.audio = audio;
    this.duration = duration;
    this.moment = null;
    this.listeners = [];
    for (const name of ["timeupdate", "seeked", "pause", "loadedmetadata"]) {
      audio.addEventListener(name, () => this.#tell());
    }
    audio.addEventListener("play", () => this.#follow());
  }

  get time() {
    return this.audio.currentTime;
  }

  onTime(listener) {
    this.listeners.push(listener);
  }

  /** Go to a time; what was chosen before is forgotten. */
  seek(seconds) {
    this.moment = null;
    this.#go(seconds);
  }

  /** Go to a stretch of time; playing from here ends where it ends. */
  choose(start, end) {
    this.#go(start);
    this.moment = { start, end };
    this.#tell();
  }

  toggle() {
    if (this.audio.paused) this.play();
    else this.audio.pause();
  }

  play() {
    // A refusal (no sound card, no permission) is shown by the browser's own controls.
    this.audio.play().catch(() => this.audio.pause());
  }

  /** Change to another sound at the same moment. */
  load(address) {
    const { time, moment } = this;
    const wasPlaying = !this.audio.paused;
    const rate = this.audio.playbackRate;
    this.audio.src = address;
    this.#go(time);
    this.audio.playbackRate = rate;
    this.moment = moment;
    if (wasPlaying) this.play();
  }

  #go(seconds) {
    this.audio.currentTime = Math.min(Math.max(seconds, 0), this.duration);
    this.#tell();
  }

  #follow() {
    this.#tell();
    const { moment } = this;
    if (moment && moment.end > moment.start && this.time >= moment.end) {
      this.audio.pause();
      this.#go(moment.end);
      this.moment = null;
      return;
    }
    if (!this.audio.paused) requestAnimationFrame(() => this.#follow());
  }

  #tell() {
    for (const listener of this.listeners) listener(this.time);
  }
}

/** Read ``3.480-4.830`` or ``3.480``. */
export function parseMoment(text) {
  const [start, end = start] = text.split("-").map(Number);
  return text && Number.isFinite(start) && Number.isFinite(end) ? [start, end] : null;
}

function start(box) {
  const sounds = [...box.querySelectorAll("[data-sound]")];
  const lanes = new Lanes(document.querySelector("[data-lanes] svg[data-duration]"));
  const player = new Player(sounds[0].querySelector("audio"), lanes.duration);
  const words = new Words(document);
  const clock = box.querySelector("[data-clock]");
  player.onTime((time) => {
    lanes.show(time, !player.audio.paused);
    words.show(time);
    clock.textContent = formatClock(time);
  });
  sounds.slice(1).forEach((figure) => (figure.hidden = true));
  box.classList.add("is-live");
  bindTools(box, player, sounds, new Mixer(player.audio));
  bindKeys(box, player, momentsOf(document));
  bindPlaces(player, lanes);
  const asked = parseMoment(box.dataset.moment);
  if (asked) player.choose(...asked);
}

/** Times of all events, in order, each once. */
function momentsOf(root) {
  const links = [...root.querySelectorAll("[data-moment]:not([data-player])")];
  const times = links.map((link) => parseMoment(link.dataset.moment)?.[0]);
  return [...new Set(times.filter((time) => time !== undefined))].sort((a, b) => a - b);
}

/** Words, brackets, events and lanes lead to their time. */
function bindPlaces(player, lanes) {
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const place = event.target.closest("a[data-moment], a[data-start], .word[data-start]");
    if (!place) return;
    event.preventDefault();
    const { moment, start: from, end } = place.dataset;
    if (place.matches(".word")) player.seek(Number(from));
    else player.choose(...(moment ? parseMoment(moment) : [Number(from), Number(end)]));
  });
  lanes.onClick((seconds) => player.seek(seconds));
}

const box = document.querySelector("[data-player]");
if (box) start(box);
