/** Forking a conversation: one goes on in the fork, and can go back; its title tells the two apart. */

import { type InfiniteData, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { type NavigateOptions, useNavigate } from "react-router";
import { type Conversation, useFork } from "@/api/conversations";
import { keys } from "@/api/keys";
import { texts } from "@/texts";
import { toast } from "../feedback/toast";

/** As the server has it. */
const LONGEST_TITLE = 200;
const NUMBERED = / \((\d{1,3})\)$/;

type Source = Pick<Conversation, "id" | "title">;

export interface Forks {
  /** With the messages up to and with the one at that index. */
  make: (source: Source, throughIndex: number) => Promise<Conversation>;
  titleOf: (source: Source) => string;
  open: (source: Source, fork: Conversation, options?: NavigateOptions) => void;
}

export function useForks(): Forks {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { mutateAsync } = useFork();
  return useMemo(() => {
    const titleOf = ({ title }: Source) => forkTitle(title, knownTitles(client));
    return {
      titleOf,
      make: (source, throughIndex) => mutateAsync({ id: source.id, throughIndex, title: titleOf(source) }),
      open: ({ id }, fork, options) => {
        void navigate(`/c/${fork.id}`, options);
        const back = { label: texts.chat.goBack, run: () => void navigate(`/c/${id}`) };
        toast(texts.chat.forked, { action: back });
      },
    };
  }, [client, navigate, mutateAsync]);
}

/** The same title with the next number that no other has: "Plans", "Plans (2)", "Plans (3)". */
export function forkTitle(title: string, known: readonly string[]): string {
  if (title === "") return "";
  const stem = title.replace(NUMBERED, "");
  const numbers = [title, ...known]
    .filter((one) => one.replace(NUMBERED, "") === stem)
    .map((one) => Number(NUMBERED.exec(one)?.[1] ?? 1));
  const number = ` (${Math.max(...numbers) + 1})`;
  return stem.slice(0, LONGEST_TITLE - number.length) + number;
}

/** Of the conversations whose list is here. */
function knownTitles(client: QueryClient): string[] {
  return client
    .getQueriesData<InfiniteData<{ data: Conversation[] }>>({ queryKey: keys.conversations })
    .flatMap(([, list]) => list?.pages.flatMap((page) => page.data.map((one) => one.title)) ?? []);
}
