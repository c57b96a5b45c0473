// Sizes, speed and time left of an upload, in words. Pure: the clock comes in as an argument.
// Steps of 1024, as the server counts the same archive and its limit.
const STEP = 1024;
const UNITS = ["B", "KB", "MB", "GB", "TB"];
const MEMORY = 15_000; // ms that the speed looks back

export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

export function size(bytes) {
  const power = Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(STEP));
  const unit = Math.min(UNITS.length - 1, power);
  return `${(bytes / STEP ** unit).toFixed(unit ? 1 : 0)} ${UNITS[unit]}`;
}

export function percent(done, all) {
  // 100 is said only when it is true.
  return all ? Math.floor((100 * done) / all) : 0;
}

export function duration(seconds, words) {
  if (seconds < 90) return fill(words.seconds, { n: Math.max(1, Math.round(seconds)) });
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return fill(words.minutes, { n: minutes });
  return fill(words.hours, { n: Math.floor(minutes / 60), m: minutes % 60 });
}

// Bytes a second over the last moments; null until there is something to tell.
export class Speed {
  #marks = [];

  note(now, done) {
    this.#marks.push([now, done]);
    while (this.#marks.length > 2 && now - this.#marks[1][0] > MEMORY) this.#marks.shift();
  }

  forget() {
    this.#marks = [];
  }

  get value() {
    if (this.#marks.length < 2) return null;
    const [[since, before], [now, done]] = [this.#marks[0], this.#marks.at(-1)];
    return now > since && done > before ? (1000 * (done - before)) / (now - since) : null;
  }
}

export function line(words, done, all, speed) {
  const values = { percent: percent(done, all), done: size(done), all: size(all) };
  if (!speed) return fill(words.began, values);
  const left = duration((all - done) / speed, words);
  return fill(words.going, { ...values, speed: size(speed), left });
}
