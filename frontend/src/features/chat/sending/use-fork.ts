/** Changing what was said: the conversation stays, and a fork of it goes on from there. */

import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { type Conversation, useCreateConversation } from "@/api/conversations";
import { type Message, messagesQuery, PAGE } from "@/api/messages";
import { retriedTurn } from "@/api/turns";
import { useShell } from "@/components/hooks/shell-context";
import { useForks } from "@/components/hooks/message-fork";
import { toastProblem } from "@/components/feedback/toast";
import { boxOf, put } from "@/lib/outbox";
import { WRITING } from "../composer/use-focus-after-navigation";
import { followTurn } from "./reply-streams";

export interface Forking {
  fork: (message: Message) => Promise<void>;
  resend: (message: Message, content: string) => Promise<void>;
  regenerate: (message: Message) => Promise<void>;
}

export function useForking(conversation: Conversation): Forking {
  const client = useQueryClient();
  const { me } = useShell();
  const forks = useForks();
  const { mutateAsync: created } = useCreateConversation();
  return useMemo(() => {
    const { id, system_prompt } = conversation;
    const open = (fork: Conversation) => forks.open(conversation, fork, { state: WRITING });
    const before = (index: number) =>
      index === 0
        ? created({ title: forks.titleOf(conversation), system_prompt })
        : forks.make(conversation, index - 1);
    return {
      fork: async ({ index }) => open(await forks.make(conversation, index)),
      resend: async ({ index }, content) => {
        const fork = await before(index);
        put(boxOf(me.user.id, me.workspace?.id ?? "", fork.id), content);
        open(fork);
      },
      regenerate: async ({ index }) => {
        const throughIndex = await answeredBy(index, (page) =>
          client.query({ ...messagesQuery(id, page), staleTime: "static" }),
        );
        const fork = await forks.make(conversation, throughIndex);
        followTurn(fork.id, (signal) => retriedTurn(fork.id, signal)).catch(toastProblem);
        open(fork);
      },
    };
  }, [client, conversation, me, created, forks]);
}

/** The index of what the reply at `index` answers. */
export async function answeredBy(index: number, page: (page: number) => Promise<Message[]>): Promise<number> {
  for (let before = index - 1; before >= 0; before -= 1) {
    const message = (await page(Math.floor(before / PAGE)))[before % PAGE];
    const isAsked = message?.role === "user" || message?.role === "tool";
    if (isAsked && message.state !== "excluded") return before;
  }
  return index - 1;
}
