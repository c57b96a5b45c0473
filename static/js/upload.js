// Sends the archive of the form in pieces that survive a lost line, a closed tab and a restarted
// server (tus 1.0). Without this file the form sends it in one piece.
import { Panel } from "./upload-panel.js";
import { fill, size } from "./upload-numbers.js";

const PIECE = 16 * 2 ** 20;
// Eight hours: a night without the server, or without the line.
const DELAYS = [0, 1000, 2000, 5000, 10_000, 20_000, 30_000, ...Array(480).fill(60_000)];
const FINAL = (status) => status >= 400 && status < 500 && ![409, 423, 429].includes(status);
const GONE = [404, 410];

const form = document.getElementById("upload-form");
const words = JSON.parse(document.getElementById("upload-words").textContent);
const panel = new Panel(document.getElementById("upload"), words);
const headers = {
  "X-CSRFToken": form.elements.csrfmiddlewaretoken.value,
  "Accept-Language": document.documentElement.lang,
};
let upload = null; // the tus upload under way or paused
let isRunning = false;
let chosen = null; // the row of a begun upload that the reader wants to go on with
let acceptable = null;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (form.reportValidity() && acceptable !== false) begin();
});
document.addEventListener("preflight", (event) => (acceptable = event.detail.acceptable));
addEventListener("beforeunload", (event) => isRunning && event.preventDefault());
addEventListener("online", async () => {
  if (!isRunning && !panel.lost) return;
  await upload.abort();
  go();
});
panel.pauseButton.addEventListener("click", () => (isRunning ? pause() : go()));
panel.section.querySelector("[data-cancel]").addEventListener("click", cancel);
for (const button of document.querySelectorAll("[data-go-on]")) {
  button.hidden = false;
  button.addEventListener("click", () => choose(button.closest("[data-url]")));
}

// Fill the form as it was, and ask for the same file.
function choose(row) {
  chosen = row;
  const { split, team, system, name } = row.dataset;
  form.elements.split.value = split;
  form.elements.team.value = team;
  form.elements.system_name.value = system;
  form.elements.model_channel.value = row.dataset.channel ?? "";
  form.elements.trial.checked = "trial" in row.dataset;
  form.elements.description_public.checked = "public" in row.dataset;
  form.scrollIntoView({ block: "start" });
  panel.section.hidden = false;
  panel.say(words.choose, { name });
  form.elements.archive.click();
}

function wish() {
  const { split, team, system_name: system, trial, model_channel: channel } = form.elements;
  const known = { split: split.value, team: team.value, system: system.value.trim() };
  return { ...known, trial: trial.checked ? "1" : "", model_channel: channel.value.trim() };
}

async function begin() {
  const file = form.elements.archive.files[0];
  if (chosen && (chosen.dataset.name !== file.name || Number(chosen.dataset.size) !== file.size)) {
    const { name, size: bytes } = chosen.dataset;
    panel.fail([fill(words["other-file"], { name, size: size(Number(bytes)) })]);
    return;
  }
  panel.open(file.name);
  upload = made(file, { ...wish(), filename: file.name });
  if (chosen) upload.url = new URL(chosen.dataset.url, location.href).href;
  else await resumeKnown(upload);
  form.hidden = true;
  go();
}

function made(file, metadata) {
  let described = false;
  return new tus.Upload(file, {
    endpoint: form.dataset.endpoint,
    chunkSize: PIECE,
    retryDelays: DELAYS,
    headers,
    metadata,
    fingerprint: async () => ["archive", file.name, file.size, file.lastModified].join("-"),
    removeFingerprintOnSuccess: true,
    // From now on a server that answers with an error is asked again, not begun with anew.
    onUploadUrlAvailable: () => (upload.options.endpoint = null),
    onShouldRetry: (error) => {
      const isFinal = error.causingError instanceof Refused || FINAL(status(error));
      if (!isFinal) panel.say(words.lost);
      return !isFinal;
    },
    // The description goes first, so that a wrong one is known before gigabytes are sent; who may
    // read it is said at every start, for it may have been changed since the upload began.
    onBeforeRequest: async (request) => {
      if (request.getMethod() !== "PATCH" || described) return;
      await describe(upload.url);
      described = true;
    },
    onProgress: (done, all) => panel.progress(done, all),
    onSuccess: ({ lastResponse }) => finished(lastResponse.getHeader("Submission-Location")),
    onError: failed,
  });
}

// The same file for the same purpose, begun in this browser.
async function resumeKnown(upload) {
  const same = ({ metadata }) => Object.entries(wish()).every(([key, value]) => metadata[key] === value);
  const known = (await upload.findPreviousUploads()).find(same);
  if (known) upload.resumeFromPreviousUpload(known);
}

async function describe(url) {
  const body = form.elements.document.files[0];
  const isPublic = form.elements.description_public.checked ? 1 : 0;
  const answer = await fetch(`${url}description/?public=${isPublic}`, { method: "POST", headers, body });
  if (!answer.ok) throw new Refused(await answer.json().catch(() => ({})));
}

class Refused extends Error {
  constructor(said) {
    super(said.code);
    this.said = said;
  }
}

function go() {
  isRunning = true;
  panel.lost = false;
  panel.running(true);
  upload.start();
}

async function pause() {
  isRunning = false;
  await upload.abort();
  panel.running(false);
  panel.say(words.paused);
}

async function cancel() {
  isRunning = false;
  const known = upload?.url;
  await upload?.abort();
  if (known) await fetch(known, { method: "DELETE", headers: { ...headers, "Tus-Resumable": "1.0.0" } });
  await forget(upload);
  location.reload();
}

// Otherwise this browser would ask for a deleted upload the next time.
async function forget(upload) {
  for (const known of (await upload?.findPreviousUploads()) ?? []) {
    if (known.uploadUrl === upload.url) localStorage.removeItem(known.urlStorageKey);
  }
}

function finished(address) {
  isRunning = false;
  panel.say(words.finishing);
  // Without an address it was complete but refused; the page lists it with what can be done.
  if (address) location.assign(address);
  else location.reload();
}

function failed(error) {
  if (GONE.includes(status(error)) && upload.url) return again();
  isRunning = false;
  const said = error.causingError?.said ?? parsed(error.originalResponse?.getBody());
  panel.lost = !error.originalResponse && !said.rule;
  if (status(error) === 401) Object.assign(said, { rule: words["logged-out"], cure: "" });
  panel.fail([said.rule ?? words["no-answer"], said.cure, words.kept]);
  form.hidden = !said.rule;
}

// What was begun has expired or was deleted: begin anew.
async function again() {
  await forget(upload);
  upload.url = null;
  upload.options.endpoint = form.dataset.endpoint;
  go();
}

function status(error) {
  return error.originalResponse?.getStatus() ?? 0;
}

function parsed(body) {
  try {
    return JSON.parse(body ?? "{}");
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
