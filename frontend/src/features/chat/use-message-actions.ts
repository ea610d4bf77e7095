/** The deeds behind the buttons and keys of messages. Each that can be undone says so. */

import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { type Compaction, useStopCompaction, useUndoCompaction } from "@/api/compactions";
import { useExclude } from "@/api/exclusions";
import type { Message } from "@/api/messages";
import { type Pin, pinsQuery, useCreatePin, useDeletePin } from "@/api/pins";
import { isProblem } from "@/api/problems";
import { toast, toastProblem } from "@/components/toast";
import { copied } from "@/lib/clipboard";
import { texts } from "@/texts";

const { chat, common } = texts;

export function usePinning(id: string) {
  const client = useQueryClient();
  const { mutateAsync: create } = useCreatePin(id);
  const { mutateAsync: remove } = useDeletePin(id);
  return useMemo(() => {
    const restore = ({ message_id, content, category }: Pin) =>
      void create({ message_id, content, category }).catch(toastProblem);
    const pin = async ({ id: message_id, index }: Message) => {
      const made = await create({ message_id, category: "other" });
      const undo = { label: common.undo, run: () => void remove(made.id).catch(toastProblem) };
      toast(chat.pinned(index, made.token_count), { action: undo, tone: "ok" });
    };
    const unpin = async (pins: Pin[], { index }: Message) => {
      await Promise.all(pins.map((one) => remove(one.id)));
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

export function useExcluding(id: string) {
  const { mutateAsync: exclude } = useExclude(id);
  return useMemo(
    () =>
      async ({ id: messageId, index, state, token_count: tokens }: Message) => {
        const excluded = state !== "excluded";
        const message_ids = [messageId];
        await exclude({ message_ids, excluded });
        const undo = () => void exclude({ message_ids, excluded: !excluded }).catch(toastProblem);
        const said = excluded ? chat.excluded(index, tokens) : chat.included(index);
        toast(said, { action: { label: common.undo, run: undo }, tone: "ok" });
      },
    [exclude],
  );
}

export function useStopping(id: string) {
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

export function useUndoing(id: string) {
  const { mutateAsync: undo } = useUndoCompaction(id);
  return useMemo(
    () => async (run: Compaction) => {
      await undo(run.id);
      toast(chat.compactionUndone(run.version ?? 0), { tone: "ok" });
    },
    [undo],
  );
}

export async function copyMessage(message: Message): Promise<void> {
  const done = await copied(message.content);
  toast(done ? chat.copied : chat.notCopied, { tone: done ? "ok" : "bad" });
}
