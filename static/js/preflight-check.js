// Compares an archive with the expected files before it is sent; the order of scoring/check/expected.py.
import { match } from "./preflight-layout.js";
import { listMembers } from "./preflight-members.js";
import { expectedFiles } from "./preflight-names.js";
import { Refused, count, finding, listed, phrase, shown, worded } from "./preflight-words.js";
import { readDirectory } from "./preflight-zip.js";

// `data` is what the server says about a split; returns a report like that of the server.
export async function preflight(file, data, { trial = false, limit = Infinity, size = String } = {}) {
  const every = expectedFiles(data);
  const files = trial ? every.filter((one) => one.tried) : every;
  try {
    if (file.size > limit) {
      throw new Refused("archive-too-large", { size: size(file.size), limit: size(limit) });
    }
    const listing = listMembers(await readDirectory(file, data), data);
    const { names, note } = trial ? sample(listing.names, every, data) : { names: listing.names, note: [] };
    const found = match(names, files, data);
    const findings = [...note, ...listing.findings, ...found.findings, ...lacking(names, files, found, data)];
    return report(findings, data, files.length, found.members.size, listing.unpacked);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return report([finding(error.key, "", error.values)], data, files.length, 0, null);
  }
}

// A trial leaves alone what answers other items of the split.
function sample(names, every, data) {
  const { members } = match(names, every, data);
  const beyond = new Set(every.filter((one) => !one.tried).map((one) => members.get(one.key)));
  beyond.delete(undefined);
  const note = beyond.size ? [finding("beyond-the-trial", "", { count: count(beyond.size) })] : [];
  return { names: names.filter((name) => !beyond.has(name)), note };
}

function lacking(names, files, found, data) {
  if (found.members.size) {
    return files
      .filter((file) => !found.members.has(file.key))
      .map((file) => finding("file-missing", file.path));
  }
  const some = names.map((name) => shown(name, data.limits));
  const what = names.length ? listed(some, data.limits.listed) : phrase("no-file");
  return [finding("nothing-expected-found", "", { found: what, tree: data.tree })];
}

function report(findings, data, expected, received, unpacked) {
  const told = bounded(
    unrepeated(findings.map((one) => worded(one, data))),
    data,
  );
  return {
    acceptable: !told.some((one) => one.severity === "error"),
    findings: told,
    codes: [...new Set(told.map((one) => one.code))],
    expected,
    received,
    unpacked,
  };
}

// As in Python, of two findings with one code, path and rule the later one stands in the first place.
function unrepeated(findings) {
  const kept = new Map(findings.map((one) => [JSON.stringify([one.code, one.path, one.rule]), one]));
  return [...kept.values()];
}

function bounded(findings, data) {
  const numbers = new Map(), kept = [];
  for (const one of findings) {
    const number = (numbers.get(one.code) ?? 0) + 1;
    numbers.set(one.code, number);
    if (number <= data.limits.perCode) kept.push(one);
  }
  for (const [code, number] of numbers) {
    const left = number - data.limits.perCode;
    if (left <= 0) continue;
    kept.push(worded(finding("findings-left-out", "", { count: count(left), code }), data));
  }
  return kept;
}
