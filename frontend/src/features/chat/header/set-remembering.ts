/** Switch learning from a chat off or on. */

import type { QueryClient } from "@tanstack/react-query";
import { api, ifMatch, unwrap } from "@/api/client";
import { type Conversation, conversationQuery, path } from "@/api/conversations";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { remembering } from "@/texts/remembering";

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
