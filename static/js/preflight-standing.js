// Finds what keeps the chosen team from the chosen split now: window, limits, approval. The sentences
// stand in the page, hidden, one for each split, team and kind that is refused.

// `again` is called when a window or a slot opens while the page is open.
export function makeStanding(section, form, again) {
  const sentences = [...section.querySelectorAll("[data-standing]")];
  const begun = [...document.querySelectorAll("#begun [data-url]")];
  // The server's clock counts: both moments are its own, and the page knows how long it is open.
  const now = Date.parse(section.dataset.now);
  const wait = ({ dataset }) => ("opens" in dataset ? Date.parse(dataset.opens) - now : Infinity);

  for (const milliseconds of new Set(sentences.map(wait))) {
    // A timer of more than 24 days would ring at once; none may ring a moment too early.
    if (milliseconds < 2 ** 31) setTimeout(again, milliseconds - performance.now() + 500);
  }

  function isChosen({ dataset }) {
    const { split, team, trial } = form.elements;
    const isFor = dataset.split === split.value && dataset.team === team.value;
    return isFor && "trial" in dataset === trial.checked;
  }

  // What has begun may be sent to its end: it is kept, and submitted when there is a slot again.
  function isBegun(file) {
    const isSame = ({ dataset }) => dataset.name === file?.name && Number(dataset.size) === file.size;
    return begun.some((row) => isSame(row) && isChosen(row));
  }

  // Shows the sentence, and returns it with its code, and whether nothing may be sent; or null.
  return function show(file) {
    const found = sentences.find((one) => isChosen(one) && wait(one) > performance.now());
    for (const one of sentences) one.hidden = one !== found;
    return found ? { id: found.id, code: found.dataset.standing, stops: !isBegun(file) } : null;
  };
}
