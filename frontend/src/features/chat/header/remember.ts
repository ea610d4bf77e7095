/** Make memories from a chat, say what became of it, and switch it off or on. */

import type { QueryClient } from "@tanstack/react-query";
import { api, ifMatch, unwrap } from "@/api/client";
import { type Conversation, conversationQuery, path } from "@/api/conversations";
import { type ExtractionResult, extractMemories } from "@/api/extraction";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { remembering } from "@/texts/remembering";

export async function remember(id: string, openMemory: () => void): Promise<void> {
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

/** What is said while it is off is not learned later either. */
export async function setRemembering(client: QueryClient, conversation: Conversation): Promise<void> {
  const { id, version } = conversation;
  const remembers = !conversation.remembers;
  const params = { ...path(id).params, header: ifMatch(version) };
  const changed = await unwrap(
    api.PATCH("/api/conversations/{conversation_id}", { params, body: { remembers } }),
  );
  client.setQueryData(conversationQuery(id).queryKey, changed);
  const undo = () => void setRemembering(client, changed).catch(toastProblem);
  const action = { label: texts.common.undo, run: undo };
  toast(remembers ? remembering.learns : remembering.learnsNothing, { action, tone: "ok" });
}

function summaryOf(result: ExtractionResult): string {
  if (made(result) > 0) return remembering.made(made(result) - result.proposed, result.proposed);
  if (result.known > 0) return remembering.known(result.known);
  return result.reason === "" ? remembering.nothing.nothing_found : remembering.nothing[result.reason];
}

function made({ created, proposed, replaced, merged }: ExtractionResult): number {
  return created + proposed + replaced + merged;
}
