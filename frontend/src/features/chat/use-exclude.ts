/** Exclude messages, with a confirmation if the summary would lose lines. */

import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { exclusionPreviewQuery, type ExclusionPreview, useExclude } from "@/api/exclusions";
import type { Message } from "@/api/messages";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";

/** An exclusion that waits for the user's decision. */
export interface PendingExclusion {
  index: number;
  preview: ExclusionPreview;
}

export function useExclusion(id: string, setPending: (pending: PendingExclusion | null) => void) {
  const client = useQueryClient();
  const { mutateAsync: change } = useExclude(id);
  return useMemo(() => {
    const previewOf = (message: Message) =>
      client.query(exclusionPreviewQuery(id, { message_ids: [message.id], excluded: true }));
    const setExcluded = async ({ id: messageId }: Message, excluded: boolean, confirmation: string) => {
      const message_ids = [messageId];
      await change({ message_ids, excluded });
      const undo = () => void change({ message_ids, excluded: !excluded }).catch(toastProblem);
      toast(confirmation, { action: { label: texts.common.undo, run: undo }, tone: "ok" });
    };
    const excludeNow = (message: Message, { frees_tokens: frees = 0 }: ExclusionPreview) =>
      setExcluded(message, true, texts.chat.excluded(message.index, frees));
    return {
      exclude: async (message: Message) => {
        if (message.state === "excluded") {
          await setExcluded(message, false, texts.chat.included(message.index));
          return;
        }
        const preview = await previewOf(message);
        if ((preview.summary_lines ?? []).length > 0) setPending({ index: message.index, preview });
        else await excludeNow(message, preview);
      },
      confirm: async (message: Message, preview: ExclusionPreview) => {
        await excludeNow(message, preview);
        setPending(null);
      },
    };
  }, [client, id, change, setPending]);
}
