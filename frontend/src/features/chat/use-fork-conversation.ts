/** Fork the whole conversation. */

import type { Conversation } from "@/api/conversations";
import { useForks } from "@/components/hooks/message-fork";
import { toastProblem } from "@/components/feedback/toast";
import { singleFlight, useIsInFlight } from "./in-flight";

export function useForkConversation(
  conversation: Conversation,
  count: number,
): [fork: () => void, isPending: boolean] {
  const forks = useForks();
  const key = `fork ${conversation.id}`;
  const createAndOpen = async () => forks.open(conversation, await forks.create(conversation, count - 1));
  return [() => void singleFlight(key, createAndOpen).catch(toastProblem), useIsInFlight(key)];
}
