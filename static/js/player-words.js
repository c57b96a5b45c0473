// Marks the word that is being said.
export class Words {
  constructor(root) {
    this.words = [...root.querySelectorAll(".word[data-start]")].map((node) => ({
      node,
      start: Number(node.dataset.start),
      end: Number(node.dataset.end),
    }));
  }

  show(seconds) {
    for (const { node, start, end } of this.words) {
      node.classList.toggle("now", start <= seconds && seconds < end);
    }
  }
}
