// The rules for members of a zip, as far as its directory tells; the same as scoring/archive/members.py.
import { count, finding, folded, phrase, printable, shown } from "./preflight-words.js";

const LOCAL_HEADER_SIZE = 30, ALL_32 = 2 ** 32 - 1;
const ENCRYPTED = 0x1 | 0x40 | 0x2000, READABLE = [0, 8], PLAIN = [0, 0x8000, 0x4000];

// Names the members, leaves out folders and system files, and says which must not be read.
export function listMembers({ entries, start }, rules) {
  const overlapping = overlaps(entries.filter((entry) => endOf(entry) <= start));
  const names = new Map(), twins = new Map(), ignored = [], findings = [];
  for (const entry of entries) {
    const name = plainName(entry.raw), isFolder = /[/\\]$/.test(entry.raw);
    const unsafe = pathProblem(entry.raw, rules.limits);
    if (!unsafe && isSystemFile(name, rules.systemFiles)) {
      ignored.push(name);
      continue;
    }
    const repeated = isFolder ? null : repeatProblem(name, entry.raw, twins, rules.limits);
    const problem =
      unsafe ?? repeated ?? entryProblem(entry, start, overlapping.has(entry.offset), rules);
    if (problem) findings.push(problem);
    if (isFolder) continue;
    names.set(name, entry.size);
    const key = folded(name.normalize("NFC"));
    if (!twins.has(key)) twins.set(key, name);
  }
  if (ignored.length) {
    const values = { count: count(ignored.length), name: shown(ignored[0], rules.limits) };
    findings.push(finding("system-files-ignored", "", values));
  }
  return { names: [...names.keys()], findings, unpacked: total(names.values()) };
}

const total = (sizes) => [...sizes].reduce((sum, size) => sum + size, 0);

function plainName(raw) {
  const parts = raw.replaceAll("\\", "/").split("/");
  return printable(parts.filter((part) => part !== "" && part !== ".").join("/"));
}

function isSystemFile(name, systemFiles) {
  return name
    .split("/")
    .some((part) => part.startsWith(".") || systemFiles.includes(folded(part)));
}

function pathProblem(raw, limits) {
  const parts = raw.split(/[/\\]/);
  const leads = raw === "" || /^([/\\]|[A-Za-z]:)/.test(raw);
  const path = shown(raw, limits), length = [...raw].length;
  if (leads || parts.includes("..") || raw.includes("\0")) {
    return finding("member-path-unsafe", path);
  }
  if (length > limits.name) {
    const values = { count: count(length), limit: count(limits.name) };
    return finding("member-name-too-long", path, values);
  }
  return raw.includes("\\") ? finding("member-backslash", path) : null;
}

function repeatProblem(name, raw, twins, limits) {
  const twin = twins.get(folded(name.normalize("NFC"))), path = shown(raw, limits);
  if (twin === undefined) return null;
  if (twin === name) return finding("member-duplicate", path);
  const onlyCapitals = folded(twin) === folded(name);
  const key = onlyCapitals ? "member-case-clash" : "member-case-clash:form";
  return finding(key, path, { twin: shown(twin, limits) });
}

function entryProblem(entry, end, isOverlapping, rules) {
  const path = shown(entry.raw, rules.limits);
  if (!PLAIN.includes(entry.kind)) return finding("member-symlink", path);
  if (entry.flags & ENCRYPTED) return finding("archive-encrypted", path);
  if (!READABLE.includes(entry.method)) {
    const unnamed = phrase("method-number", { number: String(entry.method) });
    const method = rules.methods[entry.method] ?? unnamed;
    return finding("member-compression-unknown", path, { method });
  }
  if (endOf(entry) > end) return rangeProblem(entry, path, end);
  if (isOverlapping) return finding("member-overlap", path);
  return sizeProblem(entry, path, rules.limits);
}

function rangeProblem(entry, path, end) {
  if ([entry.packed, entry.size, entry.offset].includes(ALL_32)) {
    return finding("archive-zip64-broken:member", path);
  }
  return finding("archive-truncated:reach", path, { count: count(endOf(entry) - end) });
}

function sizeProblem({ size, packed }, path, limits) {
  const isBomb = size > limits.bombSize && size > limits.bombRatio * packed;
  if (size <= limits.member && !isBomb) return null;
  return finding("member-bomb", path, {
    packed: count(packed),
    size: count(size),
    free: count(limits.bombSize),
    ratio: String(limits.bombRatio),
    limit: count(limits.member),
  });
}

// Where a member ends at the earliest; what its local header adds to this is unknown.
const endOf = ({ offset, characters, packed }) => offset + LOCAL_HEADER_SIZE + characters + packed;

// Positions of members whose bytes also belong to the member before or after them.
function overlaps(entries) {
  const found = new Set();
  let reach = 0, last = -1;
  for (const entry of [...entries].sort((one, other) => one.offset - other.offset)) {
    if (entry.offset < reach) found.add(entry.offset).add(last);
    if (endOf(entry) >= reach) [reach, last] = [endOf(entry), entry.offset];
  }
  return found;
}
