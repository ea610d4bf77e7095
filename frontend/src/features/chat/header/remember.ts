/** Make memories from a chat, and say what became of it. */

import { type ExtractionResult, extractMemories } from "@/api/extraction";
import { toast } from "@/components/feedback/toast";
import { remembering } from "@/texts/remembering";

export async function remember(id: string, openMemory: () => void): Promise<void> {
  toast(remembering.reading);
  const result = await extractMemories(id);
  const hasMade = result.created + result.proposed > 0;
  toast(
    summaryOf(result),
    hasMade ? { tone: "ok", action: { label: remembering.openMemory, run: openMemory } } : {},
  );
}

function summaryOf({ created, proposed, known, reason }: ExtractionResult): string {
  if (created + proposed > 0) return remembering.made(created, proposed);
  if (known > 0) return remembering.known(known);
  return remembering.nothing[reason === "nothing_new" ? "nothing_new" : "nothing_found"];
}
