/** Words about an item that several parts of the page show. */

import type { InboxItem, InboxMemory, MemoryOrigin, Quote, Verdict } from "@/api/inbox";
import { inbox } from "@/texts/inbox";
import { categoryName } from "../categories";

const LONGEST_TITLE = 160;

/** A short text is its own title. */
export function titleOfMemory({ abstract, content }: InboxMemory): string {
  return content !== "" && content.length <= LONGEST_TITLE && !content.includes("\n")
    ? content
    : abstract || content;
}

/** The category, and where it comes from. */
export function describe({ memory }: InboxItem): string {
  const [quote] = memory.quotes;
  const origin =
    quote === undefined
      ? (inbox.steps[memory.sources[0]?.kind ?? ""] ?? "")
      : quote.conversation_title || (inbox.speakers[quote.speaker] ?? "");
  return [categoryName(memory.category), origin].filter((part) => part !== "").join(" · ");
}

/** Two decimals, as the rules and models give it. */
export function confidenceOf({ memory }: InboxItem): string | null {
  const confidence = memory.quotes.find((quote) => quote.confidence !== null)?.confidence;
  return confidence == null ? null : confidence.toFixed(2);
}

/** What the memory comes from, and everything else that came from there. */
export function originsOf({ memory }: InboxItem): { source: MemoryOrigin; name: string }[] {
  const quoted = memory.quotes.flatMap((quote) => [
    ...(quote.role === "tool" && quote.name !== "" ? [origin("tool", quote.name, quote.name)] : []),
    origin("conversation", quote.conversation_id, quote.conversation_title),
    origin("message", quote.message_id, inbox.message(quote.index)),
  ]);
  const imported = memory.sources
    .filter(({ kind }) => kind === "import")
    .map(({ reference }) => origin("import", reference, reference));
  const named = new Map(
    [...quoted, ...imported].map((one) => [`${one.source.kind} ${one.source.reference}`, one]),
  );
  return [...named.values()];
}

function origin(kind: MemoryOrigin["kind"], reference: string, name: string) {
  return { source: { kind, reference }, name: inbox.from.kinds[kind]?.(name) ?? name };
}

/** What A does: of a single item that contradicts a memory, both stay. */
export function approvalOf(items: readonly InboxItem[]): Verdict {
  return items.length === 1 && items.every(isReplacing) ? "keep_both" : "approve";
}

export function isReplacing({ replaces }: InboxItem): boolean {
  return replaces.length > 0;
}

/** Of two memories in use none is declined. */
export function isDeclinable({ kind }: InboxItem): boolean {
  return kind === "proposal";
}

/** The quoted message in its chat. */
export function quotePath({ conversation_id, index }: Quote): string {
  return `/c/${conversation_id}?m=${index}`;
}

const SAY_REPLACED = ["slot", "same_attribute", "given_up", "changed"];

/** Whether the evidence says that the old memory holds no more; otherwise both may be true. */
export function saysReplaced({ reason }: InboxItem): boolean {
  return SAY_REPLACED.includes(reason);
}
