// The play head over the lanes, and clicks on them.
export class Lanes {
  constructor(svg) {
    this.svg = svg;
    this.frame = svg.closest(".scroller");
    this.head = svg.querySelector("[data-playhead]");
    this.left = Number(svg.dataset.left);
    this.right = Number(svg.dataset.right);
    this.duration = Number(svg.dataset.duration);
  }

  show(seconds, follow) {
    const x = this.left + (Math.min(seconds, this.duration) / this.duration) * this.width;
    this.head.setAttribute("transform", `translate(${x.toFixed(1)} 0)`);
    this.head.setAttribute("visibility", "visible");
    if (follow) this.#scrollTo(x);
  }

  /** Call back with the seconds under a click, unless it was on a link. */
  onClick(callback) {
    this.svg.addEventListener("click", (event) => {
      if (event.target.closest("a")) return;
      const point = new DOMPoint(event.clientX, event.clientY);
      const { x } = point.matrixTransform(this.svg.getScreenCTM().inverse());
      if (x >= this.left) callback(((x - this.left) / this.width) * this.duration);
    });
  }

  get width() {
    return this.right - this.left;
  }

  /** Keep the head in sight where the lanes are wider than the screen. */
  #scrollTo(x) {
    const scale = this.svg.clientWidth / this.svg.viewBox.baseVal.width;
    const { scrollLeft, clientWidth } = this.frame;
    const place = x * scale;
    if (place < scrollLeft || place > scrollLeft + clientWidth) {
      this.frame.scrollLeft = place - clientWidth / 4;
    }
  }
}
