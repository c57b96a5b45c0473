// Says which member of an archive is which expected file; the same as scoring/check/layout.py.
import { aliasKey, contradicts, mayCarry, parse, placeOf, split } from "./preflight-names.js";
import { count, finding, listed, phrase, shown } from "./preflight-words.js";

export function match(names, files, data) {
  const index = makeIndex(files), members = new Map(), findings = [], differences = new Map();
  const dialogues = [];
  for (const name of names) {
    const found = find(name, index, data);
    if (found.isDialogue) dialogues.push(name);
    else if (found.code) findings.push(found);
    else if (members.has(found.key)) findings.push(twice(name, members.get(found.key), found, data));
    else {
      members.set(found.key, name);
      for (const one of differencesOf(name, found)) {
        differences.set(JSON.stringify(one), { ...one, name });
      }
    }
  }
  if (dialogues.length) {
    const values = { count: count(dialogues.length), name: shown(dialogues[0], data.limits) };
    findings.push(finding("names-by-dialogue", "", values));
  }
  if (differences.size) findings.push(layoutNote([...differences.values()], data));
  return { members, findings };
}

function makeIndex(files) {
  const index = { byPath: new Map(), byName: new Map(), items: new Map(), isHidden: false };
  for (const file of files) {
    index.byPath.set(file.path, file);
    push(index.byName, file.base, file);
    if (file.item === null) {
      index.isHidden = true;
      continue;
    }
    if (file.ownName !== file.base && mayCarry(file.item)) push(index.byName, file.ownName, file);
    push(index.items, file.item.item, file.item);
  }
  return index;
}

function push(lists, key, value) {
  if (!lists.has(key)) lists.set(key, []);
  lists.get(key).push(value);
}

function find(name, index, data) {
  const [folders, base] = split(name);
  for (let start = 0; start <= folders.length; start++) {
    const file = index.byPath.get([...folders.slice(start), base].join("/"));
    if (file) return file;
  }
  const candidates = index.byName.get(base) ?? [];
  // An anonymous id is unique in the split, whatever folder its file lies in.
  if (candidates.length === 1 && base !== candidates[0].ownName) return candidates[0];
  return byFolders(name, candidates, index, data);
}

function byFolders(name, candidates, index, data) {
  const place = placeOf(name, data.places);
  let fitting = candidates.filter((file) => !contradicts(place, file.item));
  if (fitting.length > 1) {
    const folders = new Set(split(name)[0].map(aliasKey));
    const named = fitting.filter((file) => folders.has(aliasKey(file.item?.folder ?? "")));
    if (named.length) fitting = named;
  }
  if (fitting.length === 1) return fitting[0];
  if (!fitting.length) return unknown(name, candidates, index, data);
  const items = listed(fitting.map((file) => file.item.key), data.limits.listed);
  const values = { count: count(fitting.length), items };
  return finding("name-ambiguous", shown(name, data.limits), values);
}

function unknown(name, candidates, index, data) {
  const path = shown(name, data.limits);
  if (candidates.length) {
    const items = listed(candidates.map((file) => file.item.key), data.limits.listed);
    return finding("file-unknown:folders", path, { items });
  }
  const base = split(name)[1], dot = base.lastIndexOf(".");
  if (base.slice(dot + 1) !== "wav") return finding("file-unknown:suffix", path);
  const said = parse(base.slice(0, Math.max(dot, 0)));
  if (said === null) return finding("file-unknown:name", path);
  if (!said.isOutput) return finding("file-unknown:user", path);
  if (data.void.includes(`${said.kind}-${said.id}`)) return finding("file-void", path);
  if (said.family === "challenge") {
    const values = { kind: phrase(`kind-${said.kind}`), id: shown(said.id, data.limits) };
    return finding("file-unknown:id", path, values);
  }
  const place = placeOf(name, data.places);
  const items = (index.items.get(said.id) ?? []).filter((item) => !contradicts(place, item));
  if (items.length && said.kind === "clean") return finding("clean-not-needed", path);
  if (index.isHidden) return { isDialogue: true };
  return finding("file-unknown:item", path, { id: said.id });
}

function twice(name, first, file, { limits }) {
  const values = { kind: phrase(`kind-${file.kind}`), first: shown(first, limits) };
  return finding("file-twice", shown(name, limits), values);
}

function* differencesOf(name, file) {
  const [folders, base] = split(name), wanted = split(file.path)[0];
  if (!name.endsWith(base)) yield { phrase: "tree-suffixes" };
  if (base !== file.base) yield { phrase: "tree-dialogues" };
  else if (file.base !== file.ownName && folders.join("/") !== wanted.join("/")) {
    yield* otherFolders(folders, file.kind, wanted.slice(0, -1));
  }
}

function* otherFolders(folders, kind, root) {
  const inner = (folders.at(-1) ?? "").toLowerCase(), isSorted = ["test", "clean"].includes(inner);
  const outer = isSorted ? folders.slice(0, -1) : folders;
  if (!isSorted) yield { phrase: "tree-unsorted" };
  else if (inner !== kind) yield { phrase: "tree-swapped", kind, folder: inner };
  if (outer.join("/") === root.join("/")) return;
  if (!outer.length) yield { phrase: "tree-no-root", root: root.join("/") };
  else if (outer.slice(-root.length).join("/") === root.join("/")) {
    yield { phrase: "tree-around", folder: outer.slice(0, -root.length).join("/") };
  } else yield { phrase: "tree-other-root", folder: outer.join("/") };
}

function layoutNote(differences, { limits, tree }) {
  const said = differences.slice(0, limits.told).map((one) =>
    phrase(one.phrase, {
      kind: one.kind ? phrase(`kind-${one.kind}`) : "",
      folder: shown(one.folder ?? "", limits),
      root: one.root ?? "",
      name: shown(one.name, limits),
    }),
  );
  const more = differences.length - said.length;
  if (more > 0) said.push(phrase("tree-more", { count: count(more) }));
  return finding("layout-differs", "", { differences: said, tree });
}
