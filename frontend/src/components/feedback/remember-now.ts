/** Make memories from a chat now, and say what became of it. */

import { type ExtractionResult, extractMemories } from "@/api/extraction";
import { toast } from "@/components/feedback/toast";
import { remembering } from "@/texts/remembering";

export async function rememberNow(id: string, openMemory: () => void): Promise<void> {
  toast(remembering.reading);
  const result = await extractMemories(id);
  if (result === null) {
    toast(remembering.takesLong);
    return;
  }
  const hasMade = made(result) > 0;
  toast(
    summaryOf(result),
    hasMade ? { tone: "ok", action: { label: remembering.openMemory, run: openMemory } } : {},
  );
}

function summaryOf(result: ExtractionResult): string {
  if (made(result) > 0) return remembering.made(made(result) - result.proposed, result.proposed);
  if (result.known > 0) return remembering.known(result.known);
  return result.reason === "" ? remembering.nothing.nothing_found : remembering.nothing[result.reason];
}

function made({ created, proposed, replaced, merged }: ExtractionResult): number {
  return created + proposed + replaced + merged;
}
