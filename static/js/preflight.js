// Tells beside the upload form what would be refused, before anything is sent: whether the team may
// submit now, and what the check will find in the directory of the zip.
// Sends an event "preflight" with { acceptable, codes }; acceptable is null when nothing is known.
import { preflight } from "./preflight-check.js";
import { makeStanding } from "./preflight-standing.js";
import { makeView } from "./preflight-view.js";
import { size } from "./upload-numbers.js";

const section = document.getElementById("preflight");
const form = document.querySelector("form:has([name=archive])");
const known = new Map();
let turn = 0;

if (section && form) {
  const standing = makeStanding(section, form, () => check(standing));
  form.addEventListener("change", (event) => {
    if (["archive", "split", "team", "trial"].includes(event.target.name)) check(standing);
  });
  // A page that comes back out of the browser's memory may tell of a refusal that is over.
  addEventListener("pageshow", (event) => {
    if (event.persisted && section.querySelector("[data-standing]:not([hidden])")) location.reload();
  });
  check(standing);
}

async function check(standing) {
  const mine = ++turn;
  const place = document.getElementById("preflight-report");
  const { archive, split, trial } = form.elements, file = archive.files?.[0];
  const refusal = standing(file);
  section.hidden = !refusal;
  place.replaceChildren();
  settle(refusal, null);
  if (!file || !split.value) return;
  const [data, report] = await looked(file, split.value, trial.checked);
  if (mine !== turn || !data) return;
  section.hidden = false;
  makeView(place, data).show(file, report, trial.checked);
  settle(refusal, report);
}

// What the server says about the split, and the report; null for what could not be had.
async function looked(file, split, trial) {
  const data = await expected(split);
  if (!data) return [null, null];
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
function settle(refusal, report) {
  const isRefused = refusal?.stops || report?.acceptable === false;
  allow(!isRefused, refusal?.stops ? refusal.id : "preflight-verdict");
  const acceptable = isRefused ? false : (report?.acceptable ?? null);
  const codes = [...(refusal ? [refusal.code] : []), ...(report?.codes ?? [])];
  document.dispatchEvent(new CustomEvent("preflight", { detail: { acceptable, codes } }));
}

function allow(isAllowed, reason) {
  for (const button of form.querySelectorAll("button[type=submit]")) {
    if (isAllowed && !("refused" in button.dataset)) continue;
    button.disabled = !isAllowed;
    button.toggleAttribute("data-refused", !isAllowed);
    if (isAllowed) button.removeAttribute("aria-describedby");
    else button.setAttribute("aria-describedby", reason);
  }
}
