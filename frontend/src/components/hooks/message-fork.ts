/** Fork a conversation, continue in the fork, and offer a way back; the titles are numbered. */

import { type InfiniteData, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { type NavigateOptions, useNavigate } from "react-router";
import { type Conversation, useFork } from "@/api/conversations";
import { keys } from "@/api/keys";
import { texts } from "@/texts";
import { toast } from "../feedback/toast";

/** The server's limit. */
const MAX_TITLE_LENGTH = 200;
const NUMBERED = / \((\d{1,3})\)$/;

type Source = Pick<Conversation, "id" | "title">;

export interface ForkActions {
  /** With the messages up to and including that index. */
  create: (source: Source, throughIndex: number) => Promise<Conversation>;
  titleOf: (source: Source) => string;
  open: (source: Source, fork: Conversation, options?: NavigateOptions) => void;
}

export function useForks(): ForkActions {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { mutateAsync } = useFork();
  return useMemo(() => {
    const titleOf = ({ title }: Source) => forkTitle(title, knownTitles(client));
    return {
      titleOf,
      create: (source, throughIndex) => mutateAsync({ id: source.id, throughIndex, title: titleOf(source) }),
      open: ({ id }, fork, options) => {
        void navigate(`/c/${fork.id}`, options);
        const back = { label: texts.chat.goBack, run: () => void navigate(`/c/${id}`) };
        toast(texts.chat.forked, { action: back });
      },
    };
  }, [client, navigate, mutateAsync]);
}

/** The same title with the next free number: "Plans", "Plans (2)", "Plans (3)". */
export function forkTitle(title: string, existing: readonly string[]): string {
  if (title === "") return "";
  const stem = title.replace(NUMBERED, "");
  const numbers = [title, ...existing]
    .filter((one) => one.replace(NUMBERED, "") === stem)
    .map((one) => Number(NUMBERED.exec(one)?.[1] ?? 1));
  const number = ` (${Math.max(...numbers) + 1})`;
  return stem.slice(0, MAX_TITLE_LENGTH - number.length) + number;
}

/** The titles of all cached conversations. */
function knownTitles(client: QueryClient): string[] {
  return client
    .getQueriesData<InfiniteData<{ data: Conversation[] }>>({ queryKey: keys.conversations })
    .flatMap(([, list]) => list?.pages.flatMap((page) => page.data.map((one) => one.title)) ?? []);
}
