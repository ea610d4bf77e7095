/** Parse addresses of the memory tree. */

const SCHEME = "mem://";

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

/** All ancestors from the root down, and the address itself. */
export function trailOf(uri: string): string[] {
  const names = namesOf(uri);
  return names.map((_, index) => SCHEME + names.slice(0, index + 1).join("/"));
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

/** A readable title for a name in an address. */
export function titleOf(uri: string): string {
  const words = nameOf(uri).replace(/(?<=\p{L})-(?=[\p{L}\p{N}])/gu, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
