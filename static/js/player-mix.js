// Mutes one side of a stereo sound: the user is on the left, the model on the right.
export class Mixer {
  constructor(audio) {
    this.audio = audio;
    this.muted = { user: false, model: false };
    this.solo = null;
  }

  mute(side) {
    this.muted[side] = !this.muted[side];
    this.#apply();
  }

  only(side) {
    this.solo = this.solo === side ? null : side;
    this.#apply();
  }

  isHeard(side) {
    return !this.muted[side] && (this.solo === null || this.solo === side);
  }

  #apply() {
    // Made at the first press only: until then the sound goes its plain way.
    this.gains ??= this.#connect();
    this.context.resume();
    for (const side of ["user", "model"]) this.gains[side].gain.value = this.isHeard(side) ? 1 : 0;
  }

  #connect() {
    this.context = new AudioContext();
    const splitter = this.context.createChannelSplitter(2);
    const merger = this.context.createChannelMerger(2);
    this.context.createMediaElementSource(this.audio).connect(splitter);
    const gains = {};
    ["user", "model"].forEach((side, channel) => {
      gains[side] = this.context.createGain();
      splitter.connect(gains[side], channel);
      gains[side].connect(merger, 0, channel);
    });
    merger.connect(this.context.destination);
    return gains;
  }
}
