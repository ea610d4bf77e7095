/** What somebody typed of a new memory. The server makes the address from it. */

import type { NewMemory, NewPlace } from "@/api/memories";
import type { Category } from "@/api/policy";
import { isTeam, nameOf, parentOf } from "../address";
import { isFixed } from "../categories";
import { tagsIn, timeOf } from "../node/tags";

export const BY_ADDRESS = "address";

export interface NewDraft {
  /** A category, or that the address is typed. */
  kind: string;
  entity: string;
  name: string;
  address: string;
  content: string;
  tags: string;
  day: string;
  shared: boolean;
}

const EMPTY: NewDraft = {
  kind: "preferences",
  entity: "",
  name: "",
  address: "",
  content: "",
  tags: "",
  day: "",
  shared: false,
};

/** Those that a person writes by a name; sessions are written by those who had them. */
export function writtenByHand(categories: readonly Category[]): Category[] {
  return categories.filter(({ owner }) => owner !== "session");
}

/** Begun in a folder, it lies in there: in an entity's by its name, in others by the address. */
export function firstDraft(categories: readonly Category[], folder: string): NewDraft {
  const offered = writtenByHand(categories);
  const category = offered.find(({ uri }) => uri === folder);
  if (category !== undefined) return { ...EMPTY, kind: category.name };
  const above = offered.find(({ uri, names }) => names === 2 && uri === parentOf(folder));
  if (above !== undefined) return { ...EMPTY, kind: above.name, entity: nameOf(folder) };
  if (folder !== "" && !isFixed(categories, folder)) {
    return { ...EMPTY, kind: BY_ADDRESS, address: `${folder}/` };
  }
  const first = offered.find(({ directories }) => isTeam(folder) && directories.includes(folder));
  return first === undefined ? EMPTY : { ...EMPTY, kind: first.name };
}

export function categoryOf(categories: readonly Category[], { kind }: NewDraft): Category | undefined {
  return categories.find(({ name }) => name === kind);
}

/** `null` while there is not enough of it. */
export function placeOf(categories: readonly Category[], draft: NewDraft): NewPlace | null {
  if (draft.kind === BY_ADDRESS) {
    const uri = draft.address.trim();
    return /^mem:\/\/\S.*[^/]$/.test(uri) ? { uri } : null;
  }
  const category = categoryOf(categories, draft);
  if (category === undefined) return null;
  // In what is sent a slash ends the first name.
  const names = category.names === 2 ? [draft.entity.replaceAll("/", " "), draft.name] : [draft.name];
  if (names.some((name) => name.trim() === "")) return null;
  return { category: category.name, name: names.map((name) => name.trim()).join("/") };
}

export function isTeamPlace(categories: readonly Category[], draft: NewDraft): boolean {
  if (draft.kind === BY_ADDRESS) return isTeam(draft.address.trim());
  return categoryOf(categories, draft)?.owner === "agent";
}

export function newMemory(categories: readonly Category[], place: NewPlace, draft: NewDraft): NewMemory {
  return {
    place,
    content: draft.content,
    tags: tagsIn(draft.tags),
    ...(draft.day !== "" && { occurred_at: timeOf(draft.day) }),
    ...(draft.shared && isTeamPlace(categories, draft) && { shared: true }),
  };
}
