/** What somebody typed into the form, what it was at the beginning, and what of it is to be sent. */

import type { MemoryChanges, MemoryNode } from "@/api/memories";
import { dayOf, tagsIn, tagText, timeOf } from "./tags";

/** The fields of a memory that the form shows. */
interface Fields {
  content: string;
  abstract: string;
  overview: string;
  tags: string;
  day: string;
}

export interface EditDraft extends Fields {
  /** As it stood when somebody began. */
  base: Fields;
  reason: string;
}

export function firstDraft(node: MemoryNode): EditDraft {
  const base = fieldsOf(node);
  return { ...base, base, reason: "" };
}

/** Whether it is not any more what somebody began with; what the short tiers say follows by itself. */
export function isOther(base: Fields, node: MemoryNode): boolean {
  const now = fieldsOf(node);
  return now.content !== base.content || now.tags !== base.tags || now.day !== base.day;
}

/** Only what was typed over; null where nothing was. */
export function changesIn(draft: EditDraft, node: MemoryNode): MemoryChanges | null {
  const now = fieldsOf(node);
  const isTyped = (name: keyof Fields) => draft[name] !== draft.base[name] && draft[name] !== now[name];
  const changes: MemoryChanges = {
    ...(isTyped("content") && { content: draft.content }),
    ...(isTyped("abstract") && { abstract: draft.abstract }),
    ...(isTyped("overview") && { overview: draft.overview }),
    ...(isTyped("tags") && { tags: tagsIn(draft.tags) }),
    ...(isTyped("day") && draft.day !== "" && { occurred_at: timeOf(draft.day) }),
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
