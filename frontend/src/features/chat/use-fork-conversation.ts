/** The whole conversation, to go on with elsewhere. */

import type { Conversation } from "@/api/conversations";
import { useForks } from "@/components/hooks/message-fork";
import { toastProblem } from "@/components/feedback/toast";
import { once, useIsUnderWay } from "./in-flight";

export function useWholeFork(
  conversation: Conversation,
  count: number,
): [fork: () => void, isPending: boolean] {
  const forks = useForks();
  const name = `fork ${conversation.id}`;
  const deed = async () => forks.open(conversation, await forks.make(conversation, count - 1));
  return [() => void once(name, deed).catch(toastProblem), useIsUnderWay(name)];
}
