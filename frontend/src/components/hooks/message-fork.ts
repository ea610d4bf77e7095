/** Fork a conversation, continue in the fork, and offer a way back; the titles are numbered. */

import { type InfiniteData, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { type NavigateOptions, useNavigate } from "react-router";
import { type Conversation, useFork } from "@/api/conversations";
import { keys } from "@/api/keys";
import { forkTitle } from "@/lib/fork-title";
import { texts } from "@/texts";
import { toast } from "../feedback/toast";

type Source = Pick<Conversation, "id" | "title">;

export interface ForkActions {
  /** With the messages up to and including that index; null for none. */
  create: (source: Source, throughIndex: number | null) => Promise<Conversation>;
  open: (source: Source, fork: Conversation, options?: NavigateOptions) => void;
}

export function useForks(): ForkActions {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { mutateAsync } = useFork();
  return useMemo(() => {
    return {
      create: ({ id, title }, throughIndex) =>
        mutateAsync({ id, throughIndex, title: forkTitle(title, knownTitles(client)) }),
      open: ({ id }, fork, options) => {
        void navigate(`/c/${fork.id}`, options);
        const back = { label: texts.chat.goBack, run: () => void navigate(`/c/${id}`) };
        toast(texts.chat.forked, { action: back });
      },
    };
  }, [client, navigate, mutateAsync]);
}

/** The titles of all cached conversations. */
function knownTitles(client: QueryClient): string[] {
  return client
    .getQueriesData<InfiniteData<{ data: Conversation[] }>>({ queryKey: keys.conversations })
    .flatMap(([, list]) => list?.pages.flatMap((page) => page.data.map((one) => one.title)) ?? []);
}
