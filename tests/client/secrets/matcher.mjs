// The rules of rules.json in JavaScript: reads {rules: path, texts: [...]}, prints the texts without their secrets.
import { readFileSync } from "node:fs";

const input = JSON.parse(readFileSync(0, "utf8"));
const data = JSON.parse(readFileSync(input.rules, "utf8"));
const INVISIBLE = /[\p{Mn}\p{Me}\p{Cf}]/u;
const OTHER = { "\u0131": "i", "\u0142": "l", "\u0141": "L", "\u00f8": "o", "\u00d8": "O" };

const base = (one) => {
  const visible = [...(OTHER[one] ?? one).normalize("NFKD")].filter((letter) => !INVISIBLE.test(letter));
  return visible.length === 1 ? visible[0] : visible.length ? one : "";
};
const folded = (text) => {
  let short = "";
  const places = [];
  let place = 0;
  for (const one of text) {
    const letter = base(one);
    for (let unit = 0; unit < letter.length; unit++) places.push([place, place + one.length]);
    short += letter;
    place += one.length;
  }
  return { short, places };
};

const part = (name) => (Array.isArray(data.parts[name]) ? data.parts[name].join("|") : data.parts[name]);
const filled = (pattern) => {
  while (/%[A-Z_]{2,20}%/.test(pattern)) pattern = pattern.replace(/%([A-Z_]{2,20})%/g, (_, name) => part(name));
  return folded(pattern).short;
};
const cache = new Map();
const compiled = (pattern, flags) => {
  const key = flags + pattern;
  if (!cache.has(key)) cache.set(key, new RegExp(filled(pattern), flags));
  return cache.get(key);
};
const words = (name) => new Set(folded((data.words[name] ?? []).join(" ")).short.split(" "));

const isOpaque = (value) =>
  value !== value.toLowerCase() &&
  value !== value.toUpperCase() &&
  value.replace(/[^0-9]/g, "").length >= 3 &&
  new Set(value).size >= 10 &&
  (value.match(/[A-Za-z]+|[0-9]+/g) ?? []).length >= 5;
const isLuhn = (value) => {
  const digits = [...value.replace(/[^0-9]/g, "")].map(Number).reverse();
  const sum = digits.reduce((all, one, at) => all + (at % 2 ? Math.floor(one / 5) + ((2 * one) % 10) : one), 0);
  return new Set(digits).size > 1 && sum % 10 === 0;
};
const isIban = (value) => {
  const text = value.replaceAll(" ", "");
  const number = [...text.slice(4), ...text.slice(0, 4)].map((one) => parseInt(one, 36)).join("");
  return text.length >= 15 && BigInt(number) % 97n === 1n;
};
const FUNCTIONS = { opaque: isOpaque, luhn: isLuhn, iban: isIban };
const isConfirmed = (value, name) => {
  if (FUNCTIONS[name]) return FUNCTIONS[name](value);
  const check = data.checks[name];
  const lowered = value.toLowerCase();
  if (check.unlike && words(check.unlike).has(lowered)) return false;
  if (check.without && lowered.split(" ").some((word) => words(check.without).has(word))) return false;
  const matches = (pattern) => compiled(pattern, `u${check.flags ?? ""}`).test(value);
  return (check.has ?? []).every(matches) && !(check.lacks ?? []).some(matches);
};

// As in matching.py.
const NEARBY = 60;
const placesOf = (lowered, one) => {
  const places = new Set();
  for (const keyword of one.keywords ?? []) {
    const word = folded(keyword).short.toLowerCase();
    for (let at = lowered.indexOf(word); at >= 0; at = lowered.indexOf(word, at + 1)) places.add(at);
  }
  const within = one.digits_within;
  const nearby = one.nearby && compiled(one.nearby, "u");
  return [...places]
    .filter((at) => !within || /[0-9]/.test(lowered.slice(at, at + within)))
    .filter((at) => !nearby || nearby.test(lowered.slice(at, at + NEARBY)));
};
const at = (text, places, pattern, flags) =>
  places.map((place) => {
    const regex = compiled(pattern, `${flags}dy`);
    regex.lastIndex = place;
    return regex.exec(text);
  }).filter(Boolean);
const LONGEST_WORD = 64;
const ANNOUNCED = 400;
const lineAround = (text, place, within) => {
  const first = Math.max(0, place - within);
  const last = place + within;
  const before = Math.max(0, first - LONGEST_WORD);
  const lastOf = (sign, end) => {
    const found = text.slice(before, end).lastIndexOf(sign);
    return found < 0 ? -1 : before + found;
  };
  const firstOf = (sign, start) => {
    const found = text.slice(start, last + LONGEST_WORD).indexOf(sign);
    return found < 0 ? last + LONGEST_WORD : start + found;
  };
  return [Math.max(lastOf("\n", place), lastOf(" ", first), before - 1) + 1, Math.min(firstOf("\n", place), firstOf(" ", last))];
};
const around = (rule, text, ends, flags) => {
  const signs = [...text.matchAll(compiled("%CODE_SIGNS%", "ug"))].map((match) => match.index);
  const spans = [];
  for (const [start, end] of ends.map((place) => lineAround(text, place, rule.around))) {
    if (signs.some((sign) => sign >= start && sign < end)) continue;
    if (spans.length && start < spans.at(-1)[1]) spans.at(-1)[1] = Math.max(end, spans.at(-1)[1]);
    else spans.push([start, end]);
  }
  return spans.flatMap(([start, end]) => {
    const regex = compiled(rule.pattern, `${flags}dg`);
    const until = text.slice(0, end);
    const found = [];
    regex.lastIndex = start;
    for (let match = regex.exec(until); match; match = regex.exec(until)) found.push(match);
    return found;
  });
};
const matchesOf = (rule, text, lowered) => {
  const flags = `u${rule.flags ?? ""}`;
  if (rule.labels) {
    const labels = rule.labels.map((name) => data.labels[name]);
    const ends = labels.flatMap((one) => at(lowered, placesOf(lowered, one), one.pattern, "u").map((m) => m.indices[0][1]));
    if (rule.around) return around(rule, text, ends.sort((one, other) => one - other), flags);
    return at(text, ends, rule.pattern, flags);
  }
  if ((rule.anchored ?? true) && rule.keywords.length) return at(text, placesOf(lowered, rule), rule.pattern, flags);
  const places = placesOf(lowered, rule);
  const isAnnounced = ({ indices: [[start, end]] }) => places.some((one) => one >= start - ANNOUNCED && one < end + ANNOUNCED);
  const matches = [...text.matchAll(compiled(rule.pattern, `${flags}dg`))];
  return rule.keywords.length ? matches.filter(isAnnounced) : matches;
};

const redacted = (text) => {
  const { short, places } = folded(text);
  const lowered = short.toLowerCase();
  const found = [];
  for (const rule of data.rules) {
    for (const match of matchesOf(rule, short, lowered)) {
      const [start, end] = match.indices.slice(1).find((span) => span && span[1] > span[0]) ?? match.indices[0];
      const value = short.slice(start, end);
      if (value && !value.startsWith("[redacted:") && (rule.check ?? []).every((name) => isConfirmed(value, name)))
        found.push([places[start][0], places[end - 1][1], rule.kind]);
    }
  }
  found.sort((one, other) => one[0] - other[0] || other[1] - one[1]);
  let out = "";
  let place = 0;
  for (const [start, end, kind] of found) {
    if (start >= place) out += `${text.slice(place, start)}[redacted:${kind}]`;
    place = Math.max(place, end);
  }
  return out + text.slice(place);
};

console.log(JSON.stringify(input.texts.map(redacted)));
