// Tells beside the upload form what the check will find in the directory of a zip, before it is sent.
// Sends an event "preflight" with { acceptable, codes }; acceptable is null when nothing is known.
import { preflight } from "./preflight-check.js";
import { makeView } from "./preflight-view.js";

const section = document.getElementById("preflight");
const form = document.querySelector("form:has([name=archive])");
const known = new Map();
let turn = 0;

if (section && form) {
  form.addEventListener("change", (event) => {
    if (["archive", "split", "trial"].includes(event.target.name)) check();
  });
  check();
}

async function check() {
  const mine = ++turn;
  const file = form.querySelector("[name=archive]").files?.[0];
  const fields = new FormData(form), split = fields.get("split");
  section.hidden = !file;
  allow(true);
  tell({ acceptable: null, codes: [] });
  if (!file || !split) return;
  const trial = fields.has("trial");
  const [data, report] = await looked(file, split, trial);
  if (mine !== turn) return;
  section.hidden = !data;
  if (!data) return;
  makeView(section, data).show(file, report, trial);
  allow(report?.acceptable !== false);
  tell(report ?? { acceptable: null, codes: [] });
}

// What the server says about the split, and the report; null for what could not be had.
async function looked(file, split, trial) {
  const data = await expected(split);
  if (!data) return [null, null];
  const size = makeView(section, data).size;
  try {
    return [data, await preflight(file, data, { trial, limit: data.archiveLimit, size })];
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return [data, null]; // The file was moved or changed since it was chosen.
  }
}

async function expected(split) {
  if (!known.has(split)) {
    const url = section.dataset.url.replace("SPLIT", encodeURIComponent(split));
    const answer = await fetch(url, { headers: { Accept: "application/json" } }).catch(() => null);
    if (!answer?.ok || answer.redirected) return null;
    known.set(split, await answer.json());
  }
  return known.get(split);
}

// A definite refusal would be one on the server too, only hours later.
function allow(isAllowed) {
  for (const button of form.querySelectorAll("button[type=submit]")) {
    if (isAllowed && !("refused" in button.dataset)) continue;
    button.disabled = !isAllowed;
    button.toggleAttribute("data-refused", !isAllowed);
    if (isAllowed) button.removeAttribute("aria-describedby");
    else button.setAttribute("aria-describedby", "preflight-verdict");
  }
}

function tell({ acceptable, codes }) {
  document.dispatchEvent(new CustomEvent("preflight", { detail: { acceptable, codes } }));
}
