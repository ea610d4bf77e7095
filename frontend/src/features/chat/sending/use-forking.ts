/** Changing what was said: the conversation stays, and a fork of it goes on from there. */

import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useNavigate } from "react-router";
import { type Conversation, useCreateConversation, useFork } from "@/api/conversations";
import { type Message, messagesQuery, PAGE } from "@/api/messages";
import { retriedTurn } from "@/api/turns";
import { useShell } from "@/components/shell-context";
import { toast, toastProblem } from "@/components/toast";
import { boxOf, put } from "@/lib/outbox";
import { texts } from "@/texts";
import { WRITING } from "../composer/use-writing-on";
import { followTurn } from "./turns-store";

export interface Forking {
  fork: (message: Message) => Promise<void>;
  resend: (message: Message, content: string) => Promise<void>;
  regenerate: (message: Message) => Promise<void>;
}

export function useForking(conversation: Conversation): Forking {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { me } = useShell();
  const { mutateAsync: forked } = useFork();
  const { mutateAsync: created } = useCreateConversation();
  return useMemo(() => {
    const { id, title, system_prompt } = conversation;
    const open = (fork: Conversation) => {
      void navigate(`/c/${fork.id}`, { state: WRITING });
      const back = { label: texts.chat.goBack, run: () => void navigate(`/c/${id}`) };
      toast(texts.chat.forked, { action: back });
    };
    const before = (index: number) =>
      index === 0 ? created({ title, system_prompt }) : forked({ id, throughIndex: index - 1 });
    return {
      fork: async ({ index }) => open(await forked({ id, throughIndex: index })),
      resend: async ({ index }, content) => {
        const fork = await before(index);
        put(boxOf(me.user.id, fork.id), content);
        open(fork);
      },
      regenerate: async ({ index }) => {
        const throughIndex = await answeredBy(index, (page) =>
          client.query({ ...messagesQuery(id, page), staleTime: "static" }),
        );
        const fork = await forked({ id, throughIndex });
        followTurn(fork.id, (signal) => retriedTurn(fork.id, signal)).catch(toastProblem);
        open(fork);
      },
    };
  }, [client, conversation, me, created, forked, navigate]);
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
