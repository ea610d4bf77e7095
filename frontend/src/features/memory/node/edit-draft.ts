/** The draft of an edit: the typed fields, their base, and the changes to send. */

import type { MemoryChanges, MemoryNode } from "@/api/memories";
import { dayOf, tagsIn, tagText, timeOf } from "./tags";

/** The fields of a memory in the form. */
interface Fields {
  content: string;
  abstract: string;
  overview: string;
  tags: string;
  day: string;
}

export interface EditDraft extends Fields {
  /** The values when the form was opened. */
  base: Fields;
  reason: string;
}

export function firstDraft(node: MemoryNode): EditDraft {
  const base = fieldsOf(node);
  return { ...base, base, reason: "" };
}

/** Whether the memory has changed since; tiers do not count because they are generated. */
export function hasChanged(base: Fields, node: MemoryNode): boolean {
  const current = fieldsOf(node);
  return current.content !== base.content || current.tags !== base.tags || current.day !== base.day;
}

/** Only edited fields; null if there are none. */
export function changesIn(draft: EditDraft, node: MemoryNode): MemoryChanges | null {
  const current = fieldsOf(node);
  const isEdited = (name: keyof Fields) => draft[name] !== draft.base[name] && draft[name] !== current[name];
  const changes: MemoryChanges = {
    ...(isEdited("content") && { content: draft.content }),
    ...(isEdited("abstract") && { abstract: draft.abstract }),
    ...(isEdited("overview") && { overview: draft.overview }),
    ...(isEdited("tags") && { tags: tagsIn(draft.tags) }),
    ...(isEdited("day") && draft.day !== "" && { occurred_at: timeOf(draft.day) }),
  };
  if (Object.keys(changes).length === 0) return null;
  const reason = draft.reason.trim();
  return reason === "" ? changes : { ...changes, reason };
}

function fieldsOf({ content, abstract, overview, tags, occurred_at }: MemoryNode): Fields {
  return {
    content: content ?? "",
    abstract,
    overview: overview ?? "",
    tags: tagText(tags),
    day: dayOf(occurred_at),
  };
}
