/** Addresses of the memory tree, as the page needs them. The server has the last word on each. */

const SCHEME = "mem://";
const LONGEST_NAME = 64;

export const ROOTS = ["mem://user", "mem://agent", "mem://sessions"] as const;

interface CategoryPlace {
  name: string;
  uri: string;
  /** How many names lead from there to a memory. */
  names: 1 | 2;
}

export const CATEGORIES: readonly CategoryPlace[] = [
  { name: "profile", uri: "mem://user/profile", names: 1 },
  { name: "preferences", uri: "mem://user/preferences", names: 1 },
  { name: "entities", uri: "mem://user/entities", names: 2 },
  { name: "events", uri: "mem://user/events", names: 1 },
  { name: "patterns", uri: "mem://agent/patterns", names: 1 },
  { name: "cases", uri: "mem://agent/cases", names: 1 },
  { name: "session", uri: "mem://sessions", names: 2 },
];

const FIXED = new Set<string>([...ROOTS, ...CATEGORIES.map(({ uri }) => uri)]);

/** They are there always, and cannot be changed. */
export function isFixed(uri: string): boolean {
  return FIXED.has(uri);
}

/** The fixed directories right below an address, in their order. */
export function fixedBelow(uri: string): string[] {
  return CATEGORIES.map((one) => one.uri).filter((one) => parentOf(one) === uri);
}

export function namesOf(uri: string): string[] {
  return uri.slice(SCHEME.length).split("/");
}

export function nameOf(uri: string): string {
  return namesOf(uri).at(-1) ?? "";
}

/** `null` for a root. */
export function parentOf(uri: string): string | null {
  const names = namesOf(uri);
  return names.length < 2 ? null : SCHEME + names.slice(0, -1).join("/");
}

/** From the root down to the address itself. */
export function trailOf(uri: string): string[] {
  const names = namesOf(uri);
  return names.map((_, place) => SCHEME + names.slice(0, place + 1).join("/"));
}

export function isWithin(uri: string, folder: string): boolean {
  return uri === folder || uri.startsWith(`${folder}/`);
}

export function rootOf(uri: string): string {
  return trailOf(uri)[0] ?? uri;
}

export function isTeam(uri: string): boolean {
  return rootOf(uri) === "mem://agent";
}

/** A name in an address, as people write it. */
export function titleOf(uri: string): string {
  const words = nameOf(uri).replace(/(?<=\p{L})-(?=[\p{L}\p{N}])/gu, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A name made of any text, by the server's rule. */
export function slug(text: string): string {
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u);
  return Array.from(words.filter(Boolean).join("-")).slice(0, LONGEST_NAME).join("").replace(/-+$/, "");
}
