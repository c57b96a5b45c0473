// Fills the sentences of findings, which come from the server in the reader's language.

// An archive that cannot be used as a whole: name of the rule, and what stands in its places.
export class Refused extends Error {
  constructor(key, values = {}) {
    super(key);
    this.key = key;
    this.values = values;
  }
}

export const count = (number) => number.toLocaleString("en-US");

export const phrase = (key, values = {}) => ({ key, values });

export function finding(key, path = "", values = {}) {
  return { key, code: key.split(":")[0], path, values };
}

// Adds severity and sentences to a finding.
export function worded(one, rules) {
  const rule = rules.rules[one.key];
  return {
    ...one,
    severity: rule.severity,
    rule: fill(rule.rule, one.values, rules.phrases),
    cure: fill(rule.cure, one.values, rules.phrases),
  };
}

export function fill(template, values, phrases = {}) {
  return template.replace(/%(?:%|\((\w+)\)s)/g, (_place, name) =>
    name ? words(values[name], phrases) : "%",
  );
}

function words(value, phrases) {
  if (Array.isArray(value)) return value.map((one) => words(one, phrases)).join("; ");
  return typeof value === "object" ? fill(phrases[value.key], value.values, phrases) : value;
}

export function listed(names, limit) {
  const some = names.slice(0, limit).join(", ");
  if (names.length <= limit) return some;
  return phrase("names-and-more", { names: some, count: count(names.length - limit) });
}

// Characters that no screen shows as they are, written as escapes.
export function printable(text) {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, (character) => {
    return `\\u${character.codePointAt(0).toString(16).padStart(4, "0")}`;
  });
}

// A name as a report carries it: printable, and cut where it is absurdly long.
export function shown(raw, limits) {
  const characters = [...raw];
  if (characters.length <= limits.name) return printable(raw);
  return printable(`${characters.slice(0, limits.shownOfAName).join("")}…`);
}

// Without case, as far as a browser knows how.
export const folded = (text) => text.toUpperCase().toLowerCase().replaceAll("ς", "σ");
