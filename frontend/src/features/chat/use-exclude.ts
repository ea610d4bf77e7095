/** Leaving messages out. Where lines of the summary would go with one, that is said first. */

import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { exclusionPreviewQuery, type ExclusionPreview, useExclude } from "@/api/exclusions";
import type { Message } from "@/api/messages";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";

/** What would go with the message, for somebody to decide. */
export interface Asked {
  index: number;
  preview: ExclusionPreview;
}

export function useExcluding(id: string, ask: (asked: Asked | null) => void) {
  const client = useQueryClient();
  const { mutateAsync: change } = useExclude(id);
  return useMemo(() => {
    const previewOf = (message: Message) =>
      client.query(exclusionPreviewQuery(id, { message_ids: [message.id], excluded: true }));
    const become = async ({ id: messageId }: Message, excluded: boolean, said: string) => {
      const message_ids = [messageId];
      await change({ message_ids, excluded });
      const undo = () => void change({ message_ids, excluded: !excluded }).catch(toastProblem);
      toast(said, { action: { label: texts.common.undo, run: undo }, tone: "ok" });
    };
    const leaveOut = (message: Message, { frees_tokens: frees = 0 }: ExclusionPreview) =>
      become(message, true, texts.chat.excluded(message.index, frees));
    return {
      exclude: async (message: Message) => {
        if (message.state === "excluded") {
          await become(message, false, texts.chat.included(message.index));
          return;
        }
        const preview = await previewOf(message);
        if ((preview.summary_lines ?? []).length > 0) ask({ index: message.index, preview });
        else await leaveOut(message, preview);
      },
      confirm: async (message: Message, preview: ExclusionPreview) => {
        await leaveOut(message, preview);
        ask(null);
      },
    };
  }, [client, id, change, ask]);
}
