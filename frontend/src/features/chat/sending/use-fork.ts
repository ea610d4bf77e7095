/** Edit or regenerate messages. The conversation stays unchanged; a fork continues from there. */

import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Conversation } from "@/api/conversations";
import { type Message, messagesQuery, PAGE_SIZE } from "@/api/messages";
import { retryTurn } from "@/api/turns";
import { useShell } from "@/components/hooks/shell-context";
import { useForks } from "@/components/hooks/message-fork";
import { toastProblem } from "@/components/feedback/toast";
import { boxOf, addUnsent } from "@/lib/outbox";
import { FOCUS_COMPOSER } from "../composer/use-focus-after-navigation";
import { followTurn } from "./reply-streams";

export interface MessageForkActions {
  fork: (message: Message) => Promise<void>;
  resend: (message: Message, content: string) => Promise<void>;
  regenerate: (message: Message) => Promise<void>;
}

export function useMessageFork(conversation: Conversation): MessageForkActions {
  const client = useQueryClient();
  const { me } = useShell();
  const forks = useForks();
  return useMemo(() => {
    const { id } = conversation;
    const open = (fork: Conversation) => forks.open(conversation, fork, { state: FOCUS_COMPOSER });
    const forkBefore = (index: number) => forks.create(conversation, index === 0 ? null : index - 1);
    return {
      fork: async ({ index }) => open(await forks.create(conversation, index)),
      resend: async ({ index }, content) => {
        const fork = await forkBefore(index);
        addUnsent(boxOf(me.user.id, me.workspace?.id ?? "", fork.id), content);
        open(fork);
      },
      regenerate: async ({ index }) => {
        const throughIndex = await promptIndexOf(index, (page) =>
          client.query({ ...messagesQuery(id, page), staleTime: "static" }),
        );
        const fork = await forks.create(conversation, throughIndex);
        followTurn(fork.id, (signal) => retryTurn(fork.id, signal)).catch(toastProblem);
        open(fork);
      },
    };
  }, [client, conversation, me, forks]);
}

/** The index of the message that the reply at `index` answers. */
export async function promptIndexOf(
  index: number,
  page: (page: number) => Promise<Message[]>,
): Promise<number> {
  for (let forkBefore = index - 1; forkBefore >= 0; forkBefore -= 1) {
    const message = (await page(Math.floor(forkBefore / PAGE_SIZE)))[forkBefore % PAGE_SIZE];
    const isPrompt = message?.role === "user" || message?.role === "tool";
    if (isPrompt && message.state !== "excluded") return forkBefore;
  }
  return index - 1;
}
