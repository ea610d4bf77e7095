/** The draft of a new memory. The server derives the address from it. */

import type { NewMemory, NewMemoryTarget } from "@/api/memories";
import type { Category } from "@/api/policy";
import { isTeam, nameOf, parentOf } from "../address";
import { isFixed } from "../categories";
import { tagsIn, timeOf } from "../node/tags";

export const BY_ADDRESS = "address";

export interface NewDraft {
  /** A category, or `BY_ADDRESS`. */
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

/** Categories in which people create memories by name; sessions are created automatically. */
export function manualCategories(categories: readonly Category[]): Category[] {
  return categories.filter(({ owner }) => owner !== "session");
}

/** The initial draft for a folder: an entity's folder presets the entity, any other folder the address. */
export function firstDraft(categories: readonly Category[], folder: string): NewDraft {
  const available = manualCategories(categories);
  const category = available.find(({ uri }) => uri === folder);
  if (category !== undefined) return { ...EMPTY, kind: category.name };
  const entityCategory = available.find(({ uri, names }) => names === 2 && uri === parentOf(folder));
  if (entityCategory !== undefined) return { ...EMPTY, kind: entityCategory.name, entity: nameOf(folder) };
  if (folder !== "" && !isFixed(categories, folder)) {
    return { ...EMPTY, kind: BY_ADDRESS, address: `${folder}/` };
  }
  const first = available.find(({ directories }) => isTeam(folder) && directories.includes(folder));
  return first === undefined ? EMPTY : { ...EMPTY, kind: first.name };
}

export function categoryOf(categories: readonly Category[], { kind }: NewDraft): Category | undefined {
  return categories.find(({ name }) => name === kind);
}

/** `null` while the draft is incomplete. */
export function targetOf(categories: readonly Category[], draft: NewDraft): NewMemoryTarget | null {
  if (draft.kind === BY_ADDRESS) {
    const uri = draft.address.trim();
    return /^mem:\/\/\S.*[^/]$/.test(uri) ? { uri } : null;
  }
  const category = categoryOf(categories, draft);
  if (category === undefined) return null;
  // The API separates the two names by a slash.
  const names = category.names === 2 ? [draft.entity.replaceAll("/", " "), draft.name] : [draft.name];
  if (names.some((name) => name.trim() === "")) return null;
  return { category: category.name, name: names.map((name) => name.trim()).join("/") };
}

export function isTeamTarget(categories: readonly Category[], draft: NewDraft): boolean {
  if (draft.kind === BY_ADDRESS) return isTeam(draft.address.trim());
  return categoryOf(categories, draft)?.owner === "agent";
}

export function newMemory(
  categories: readonly Category[],
  target: NewMemoryTarget,
  draft: NewDraft,
): NewMemory {
  return {
    target,
    content: draft.content,
    tags: tagsIn(draft.tags),
    ...(draft.day !== "" && { occurred_at: timeOf(draft.day) }),
    ...(draft.shared && isTeamTarget(categories, draft) && { shared: true }),
  };
}
