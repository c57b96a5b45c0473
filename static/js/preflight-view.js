// Draws the report on an archive beside the upload form, in the shape of the check's own report.
import { fill } from "./preflight-words.js";
import { size } from "./upload-numbers.js";

const SHOWN = 20, MOST = 500;
const ORDER = ["error", "warning", "note"];
const MARKS = { error: "mark error", warning: "mark unofficial", note: "mark" };
const SPEEDS = [10, 100]; // Mbit/s

export function makeView(section, { words, locale, list: listed }) {
  const say = (name, values = {}) => fill(words[name], values);
  const number = (value) => value.toLocaleString(locale);

  function duration(seconds) {
    const minutes = Math.ceil(seconds / 60);
    if (minutes < 2) return say("minute");
    if (minutes < 60) return say("minutes", { minutes: number(minutes) });
    const values = { hours: number(Math.floor(minutes / 60)), minutes: number(minutes % 60) };
    return say("hours", values);
  }

  function facts(file, report) {
    const lines = [];
    if (report.unpacked !== null) {
      const values = { received: number(report.received), expected: number(report.expected) };
      lines.push(say("found", values));
      lines.push(say("sizes", { size: size(file.size), unpacked: size(report.unpacked) }));
    } else lines.push(say("size", { size: size(file.size) }));
    const [slow, fast] = SPEEDS.map((speed) => (file.size * 8) / (speed * 1e6));
    const values = { slow: duration(slow), fast: duration(fast) };
    lines.push(slow <= 60 ? say("quick") : say("time", values), say("sound"));
    return lines;
  }

  function group(found) {
    const [first] = found;
    const files = found.filter((one) => one.path);
    const title = make("h4", "", make("span", MARKS[first.severity], words[first.severity]), " ");
    title.append(make("code", "", first.code));
    if (found.length > 1) title.append(make("span", "soft", ` × ${number(found.length)}`));
    const card = make("div", "card", title, make("p", "", first.rule));
    card.append(make("p", "", make("strong", "", first.cure)));
    if (files.length) card.append(list(files.slice(0, SHOWN), first.rule));
    if (files.length > SHOWN) card.append(more(files.slice(SHOWN), first.rule));
    return card;
  }

  function more(files, rule) {
    const title = make("summary", "", say("more", { count: number(files.length) }));
    return make("details", "", title, list(files.slice(0, MOST), rule));
  }

  function expected(trial) {
    const link = make("a", "", say("list"));
    link.href = trial ? `${listed}?trial=1` : listed;
    return make("p", "", link);
  }

  function show(file, report, trial) {
    const title = make("h3", "", `${words.title} `, make("span", "", file.name));
    title.lastChild.translate = false;
    if (!report) return section.replaceChildren(title, verdict("notice", say("unread")));
    const isFine = report.acceptable;
    const box = verdict(isFine ? "notice good" : "notice error", say(isFine ? "fine" : "refused"));
    const cards = grouped(report.findings).map(group);
    const lines = make("ul", "small", ...facts(file, report).map((line) => make("li", "", line)));
    const help = isFine ? [] : [expected(trial)];
    return section.replaceChildren(title, box, lines, ...help, ...cards);
  }

  return { show };
}

function verdict(className, text) {
  const line = make("p", className, text);
  line.id = "preflight-verdict";
  return line;
}

// By rule, errors first.
function grouped(findings) {
  const groups = new Map();
  for (const one of findings) {
    if (!groups.has(one.key)) groups.set(one.key, []);
    groups.get(one.key).push(one);
  }
  const rank = ([first]) => ORDER.indexOf(first.severity);
  return [...groups.values()].sort((one, other) => rank(one) - rank(other));
}

// The files of a group; with a sentence of their own where it is another than the group's.
function list(files, rule) {
  const items = files.map((one) => {
    const name = make("code", "", one.path);
    name.translate = false;
    const own = one.rule === rule ? [] : [" ", make("span", "soft", one.rule)];
    return make("li", "", name, ...own);
  });
  return make("ul", "small paths", ...items);
}

function make(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children);
  return node;
}
