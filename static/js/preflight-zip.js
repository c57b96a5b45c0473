// Reads the directory of a zip from its end, never the whole file; the same reading as scoring/archive/zips.py.
import { Refused, count } from "./preflight-words.js";

const END = 0x06054b50, LOCATOR = 0x07064b50, END_64 = 0x06064b50, ENTRY = 0x02014b50;
const END_SIZE = 22, LOCATOR_SIZE = 20, END_64_SIZE = 56, ENTRY_SIZE = 46;
const LONGEST_COMMENT = 65536, WRAP = 2 ** 32, ALL_32 = 2 ** 32 - 1, ALL_16 = 2 ** 16 - 1;
const UTF8 = 0x800, NEWEST_VERSION = 63;
const TAR_AT = 257, TAR_MARK = "7573746172", HEAD = 262;
const UPPER_CP437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

// A directory that makes no sense; `zip64` when a record for large archives is what is wrong.
class Broken extends Error {
  constructor(zip64 = false) {
    super("broken");
    this.zip64 = zip64;
  }
}

export async function readDirectory(file, rules) {
  const head = new Uint8Array(await bytes(file, 0, HEAD));
  const from = Math.max(0, file.size - LONGEST_COMMENT - END_SIZE);
  const tail = { from, view: new DataView(await bytes(file, from, file.size)) };
  try {
    const directory = await parsed(file, tail, rules.limits);
    requireFirstAtZero(directory.entries, tail, head);
    return directory;
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    if (error.zip64 || needsZip64(tail)) throw new Refused("archive-zip64-broken:record");
    if (head.length && startsAsZip(head)) throw new Refused("archive-truncated:directory");
    throw new Refused("archive-not-zip", { found: { key: looksLike(head, rules.formats), values: {} } });
  }
}

const bytes = (file, start, end) => file.slice(start, end).arrayBuffer();

async function parsed(file, tail, limits) {
  const end = endRecord(tail);
  if (end === null) throw new Broken();
  const wide = await wideRecord(file, end.at);
  const { size, offset } = wide ?? end;
  const start = end.at - size - (wide ? LOCATOR_SIZE + END_64_SIZE : 0);
  if (start < 0) throw new Broken();
  if (size > limits.directory) {
    const values = { found: count(size), limit: count(limits.directory) };
    throw new Refused("archive-too-many-members:directory", values);
  }
  const entries = readEntries(await bytes(file, start, start + size), size, start - offset);
  if (entries.length > limits.members) {
    const values = { found: count(entries.length), limit: count(limits.members) };
    throw new Refused("archive-too-many-members", values);
  }
  return { entries, start };
}

function findEnd({ view }) {
  for (let at = view.byteLength - 4; at >= 0; at--) {
    if (view.getUint32(at, true) === END) return at;
  }
  return -1;
}

function endRecord(tail) {
  const { view, from } = tail;
  const last = view.byteLength - END_SIZE;
  if (last < 0) return null;
  const plain = view.getUint32(last, true) === END && view.getUint16(last + 20, true) === 0;
  const at = plain ? last : findEnd(tail);
  if (at < 0 || at + END_SIZE > view.byteLength) return null;
  const [size, offset] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true)];
  return { at: from + at, size, offset };
}

async function wideRecord(file, at) {
  if (at < LOCATOR_SIZE) return null;
  const locator = new DataView(await bytes(file, at - LOCATOR_SIZE, at));
  if (locator.getUint32(0, true) !== LOCATOR) return null;
  if (locator.getUint32(4, true) !== 0 || locator.getUint32(16, true) > 1) throw new Broken(true);
  const start = at - LOCATOR_SIZE - END_64_SIZE;
  if (start < 0) throw new Broken();
  const record = new DataView(await bytes(file, start, start + END_64_SIZE));
  if (record.getUint32(0, true) !== END_64) return null;
  return { size: whole(record, 40), offset: whole(record, 48) };
}

const whole = (view, at) => Number(view.getBigUint64(at, true));

function readEntries(buffer, size, shift) {
  const view = new DataView(buffer), entries = [];
  for (let at = 0; at < size; ) {
    if (at + ENTRY_SIZE > buffer.byteLength || view.getUint32(at, true) !== ENTRY) throw new Broken();
    const [name, extra, comment] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    const rest = at + ENTRY_SIZE;
    const entry = readEntry(view, at, new Uint8Array(buffer.slice(rest, rest + name)));
    widen(entry, new DataView(buffer.slice(rest + name, rest + name + extra)));
    entry.offset += shift;
    entries.push(entry);
    at = rest + name + extra + comment;
  }
  return entries;
}

function readEntry(view, at, name) {
  if ((view.getUint16(at + 6, true) & 0xff) > NEWEST_VERSION) throw new Broken();
  const flags = view.getUint16(at + 8, true);
  return {
    ...named(name, flags),
    flags,
    method: view.getUint16(at + 10, true),
    packed: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    kind: (view.getUint32(at + 38, true) >>> 16) & 0xf000,
    offset: view.getUint32(at + 42, true),
  };
}

// Sizes and the position that do not fit into 32 bits stand in a field of their own.
function widen(entry, extra) {
  for (let at = 0; at + 4 <= extra.byteLength; ) {
    const [tag, length] = [extra.getUint16(at, true), extra.getUint16(at + 2, true)];
    if (at + 4 + length > extra.byteLength) throw new Broken();
    let next = at + 4;
    for (const field of tag === 1 ? ["size", "packed", "offset"] : []) {
      if (entry[field] !== ALL_32) continue;
      if (next + 8 > at + 4 + length) throw new Broken(true);
      entry[field] = whole(extra, next);
      next += 8;
    }
    at += 4 + length;
  }
}

// Names without the UTF-8 flag are tried as UTF-8, then as the Chinese code page.
function named(name, flags) {
  if (flags & UTF8) {
    const raw = decoded(name, "utf-8");
    if (raw === null) throw new Broken();
    return { raw, characters: [...raw].length };
  }
  const chinese = hasLoneEuro(name) ? null : decoded(name, "gb18030");
  const raw = decoded(name, "utf-8") ?? chinese ?? cp437(name);
  return { raw, characters: name.length };
}

function decoded(data, encoding) {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return null;
  }
}

// Browsers read the byte 0x80 as a euro sign, where the code page has nothing.
function hasLoneEuro(data) {
  for (let at = 0; at < data.length; ) {
    if (data[at] === 0x80) return true;
    const isLong = data[at + 1] >= 0x30 && data[at + 1] <= 0x39;
    at += data[at] < 0x80 ? 1 : isLong ? 4 : 2;
  }
  return false;
}

const cp437 = (data) =>
  [...data].map((byte) => (byte < 128 ? String.fromCharCode(byte) : UPPER_CP437[byte - 128])).join("");

// Positions count from the directory; when bytes are lost or wrapped the first one shows it.
function requireFirstAtZero(entries, tail, head) {
  const first = entries.reduce((least, entry) => Math.min(least, entry.offset), Infinity);
  if (first === Infinity || first === 0) return;
  if (needsZip64(tail)) throw new Refused("archive-zip64-broken:record");
  if (first > 0 && first % WRAP === 0) throw new Refused("archive-zip64-broken:wrapped");
  if (first < 0) throw new Refused("archive-truncated:inside", { count: count(-first) });
  const key = startsAsZip(head) ? "archive-truncated:first" : "archive-prepended";
  throw new Refused(key, { count: count(first) });
}

function needsZip64(tail) {
  const { view } = tail, at = findEnd(tail);
  if (at < 0 || at + END_SIZE > view.byteLength) return false;
  const wide = [12, 16].some((place) => view.getUint32(at + place, true) === ALL_32);
  return wide || view.getUint16(at + 10, true) === ALL_16;
}

const hex = (data) => [...data].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const startsAsZip = (head) => "504b0304".startsWith(hex(head.slice(0, 4)));

function looksLike(head, formats) {
  if (!head.length) return "found-empty";
  if (hex(head.slice(TAR_AT)) === TAR_MARK) return "found-tar";
  const start = hex(head.slice(0, 16)).replace(/^(?:09|0a|0b|0c|0d|20)+/, "");
  const magic = Object.keys(formats).find((one) => start.startsWith(one));
  return magic ? formats[magic] : "found-unknown";
}
