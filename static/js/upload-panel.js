// What the reader sees of an upload: bar, numbers, a spoken line now and then, and what went wrong.
import { Speed, fill, line, percent } from "./upload-numbers.js";

const STEP = 10; // percent between two spoken lines

export class Panel {
  constructor(section, words) {
    this.section = section;
    this.words = words;
    this.bar = section.querySelector("progress");
    this.numbers = section.querySelector(".upload-numbers");
    this.spoken = section.querySelector("[role=status]");
    this.alert = section.querySelector("[role=alert]");
    this.pauseButton = section.querySelector("[data-pause]");
    this.speed = new Speed();
    this.told = 0;
  }

  open(name) {
    this.section.hidden = false;
    this.section.querySelector(".upload-name").textContent = name;
    this.alert.hidden = true;
    this.running(true);
    this.say(this.words.starting);
    this.section.scrollIntoView({ block: "nearest" });
  }

  close() {
    this.section.hidden = true;
  }

  progress(done, all) {
    this.alert.hidden = true;
    this.speed.note(performance.now(), done);
    this.done = percent(done, all);
    this.bar.value = this.done;
    this.numbers.textContent = line(this.words, done, all, this.speed.value);
    if (this.done >= this.told + STEP) {
      this.told = this.done - (this.done % STEP);
      this.spoken.textContent = fill(this.words.announced, { percent: this.told });
    }
  }

  say(text, values = { percent: this.done ?? 0 }) {
    this.speed.forget();
    this.numbers.textContent = this.spoken.textContent = fill(text, values);
  }

  fail(lines) {
    this.running(false);
    this.say(this.words.stopped);
    this.alert.replaceChildren(...lines.filter(Boolean).map(paragraph));
    this.alert.hidden = false;
  }

  running(isRunning) {
    this.pauseButton.textContent = isRunning ? this.words.pause : this.words.resume;
  }
}

function paragraph(text) {
  const made = document.createElement("p");
  made.textContent = text;
  return made;
}
