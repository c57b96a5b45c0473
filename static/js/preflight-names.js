// What names of files and folders say, and which files are expected; as in scoring/humdial/names.py.

const SCORING = /^(clean_)?([0-9]{4}_[0-9]{4}(?:_add|_before)?)(_output)?$/;
const CHALLENGE = /^(test|clean)-(.+?)(_output)?$/;

export function parse(stem) {
  const scoring = SCORING.exec(stem);
  if (scoring) {
    const [, clean, id, output] = scoring;
    return { family: "scoring", kind: clean ? "clean" : "test", id, isOutput: Boolean(output) };
  }
  const challenge = CHALLENGE.exec(stem);
  if (!challenge) return null;
  const [, kind, id, output] = challenge;
  return { family: "challenge", kind, id, isOutput: Boolean(output) };
}

// A folder name reduced to what counts: letters and digits, without case.
export const aliasKey = (name) =>
  name.toUpperCase().toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

// Language, scenario and part from the folders of a path; the innermost one counts.
export function placeOf(path, places) {
  const folders = path.split("/").slice(0, -1);
  const place = { language: "", scenario: "", part: "" };
  const meaning = (folder) => places[aliasKey(folder)] ?? ["", "", ""];
  folders.forEach((inner, at) => {
    const outer = at ? folders[at - 1] : "";
    const own = meaning(inner), joined = outer ? meaning(outer + inner) : ["", "", ""];
    const [, scenario, part] = joined[1] ? joined : own;
    if (own[0]) place.language = own[0];
    if (scenario) Object.assign(place, { scenario, part });
  });
  return place;
}

// Whether the folders name another language, scenario or part than the item's.
export const contradicts = (place, item) =>
  item !== null &&
  ["language", "scenario", "part"].some((name) => place[name] && place[name] !== item[name]);

// Folders and file name of a path; the suffix in small letters.
export function split(name) {
  const folders = name.split("/"), base = folders.pop();
  const dot = base.lastIndexOf(".");
  return [folders, base.slice(0, dot + 1) + base.slice(dot + 1).toLowerCase()];
}

// Every file that a submission must hold. A file without an item stands for itself: which other
// file belongs to it, and to which scenario, is not told to whoever hands in.
export function expectedFiles(data) {
  const columns = Object.entries(data.items);
  const items = data.items.item.map((_, at) =>
    Object.fromEntries(columns.map(([name, values]) => [name, values[at]])),
  );
  const hidden = data.hidden.path.map((path, at) => ({
    item: null,
    key: path,
    kind: data.hidden.kind[at],
    path,
    base: split(path)[1],
    ownName: "",
    tried: data.hidden.tried[at],
  }));
  return [...items.flatMap((item) => filesOf(item, data)), ...hidden];
}

function filesOf(item, data) {
  const script = item.part ? `${item.scenario}_${item.part}` : item.scenario;
  const isAnonymous = Boolean(item.test_id || item.clean_id);
  const needsClean = isAnonymous ? Boolean(item.clean_id) : data.judged.includes(script);
  const key = `${item.language}/${script}/${item.item}`;
  const whole = { ...item, script, key };
  return (needsClean ? ["test", "clean"] : ["test"]).map((kind) => fileOf(whole, kind, data.root));
}

function fileOf(item, kind, root) {
  const id = kind === "test" ? item.test_id : item.clean_id;
  const ownName = `${kind === "clean" ? "clean_" : ""}${item.item}_output.wav`;
  const path = id
    ? `${root}/${kind}/${kind}-${id}_output.wav`
    : `${item.language}/${item.folder || item.script}/${ownName}`;
  const key = `${item.key}|${kind}`;
  return { item, key, kind, path, base: split(path)[1], ownName, tried: item.tried };
}

// A name ending in _before is for one script only.
export const mayCarry = (item) =>
  item.script === "third_party_before" || !item.item.endsWith("_before");
