/** Format the value of a field before or after a revision. */

import { dateTime, plural } from "@/lib/format";
import { memory } from "@/texts/memory";

const words = memory.revisions;
const TIMES = new Set(["archived_at", "occurred_at", "last_access"]);

export function fieldValue(name: string, value: unknown): string {
  if (name === "owner") return value === undefined ? words.nothing : ownerOf(value);
  if (name === "trust" && typeof value === "string") return memory.node.trusts[value] ?? value;
  if (value === null || value === undefined || value === "") return words.nothing;
  if (name === "sources" || name === "merged_from") return countText(value);
  if (name === "merged_into") return words.another;
  if (Array.isArray(value)) return value.length === 0 ? words.nothing : value.join(", ");
  if (typeof value === "string") return TIMES.has(name) ? dateTime(value) : value;
  return JSON.stringify(value);
}

function ownerOf(value: unknown): string {
  return value === null ? words.everybody : words.onePerson;
}

function countText(value: unknown): string {
  const { length } = Array.isArray(value) ? value : [];
  return length === 0 ? words.nothing : plural(length, words.one);
}
