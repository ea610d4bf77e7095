/** Actions on messages and compactions; pinning offers an undo. */

import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useStopCompaction } from "@/api/compactions";
import type { Message } from "@/api/messages";
import { type Pin, pinsQuery, useCreatePin, useDeletePin } from "@/api/pins";
import { isProblem } from "@/api/problems";
import { toast, toastProblem } from "@/components/feedback/toast";
import { copyText } from "@/lib/clipboard";
import { texts } from "@/texts";

const { chat, common } = texts;

export function useTogglePin(id: string) {
  const client = useQueryClient();
  const { mutateAsync: create } = useCreatePin(id);
  const { mutateAsync: remove } = useDeletePin(id);
  return useMemo(() => {
    const restore = ({ message_id, content, category }: Pin) =>
      void create({ message_id, content, category }).catch(toastProblem);
    const pin = async ({ id: message_id, index }: Message) => {
      const created = await create({ message_id, category: "other" });
      const undo = { label: common.undo, run: () => void remove(created).catch(toastProblem) };
      toast(chat.pinned(index, created.token_count), { action: undo, tone: "ok" });
    };
    const unpin = async (pins: Pin[], { index }: Message) => {
      await Promise.all(pins.map((one) => remove(one)));
      toast(chat.unpinned(index), {
        action: { label: chat.pinAgain, run: () => pins.forEach(restore) },
        tone: "ok",
      });
    };
    return async (message: Message) => {
      const all = await client.query(pinsQuery(id));
      const pins = all.filter((one) => one.message_id === message.id);
      await (pins.length > 0 ? unpin(pins, message) : pin(message));
    };
  }, [client, id, create, remove]);
}

export function useStopCompactionAction(id: string) {
  const { mutateAsync: stop } = useStopCompaction(id);
  return useMemo(
    () => async (runId: string) => {
      await stop(runId).catch((error: unknown) => {
        if (!isProblem(error, "already_ended")) throw error;
      });
    },
    [stop],
  );
}

export async function copyMessage(message: Message): Promise<void> {
  const done = await copyText(message.content);
  toast(done ? chat.copied : chat.notCopied, { tone: done ? "ok" : "bad" });
}
