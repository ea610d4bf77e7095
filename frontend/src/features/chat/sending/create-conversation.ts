/** Makes the conversation for which messages wait. */

import type { QueryClient } from "@tanstack/react-query";
import { api, taken } from "@/api/client";
import { conversationQuery } from "@/api/conversations";
import { keys } from "@/api/keys";
import type { Me } from "@/api/session";
import { createNotifier } from "@/lib/notifier";
import { boxOf, move, waitingIn } from "@/lib/outbox";
import { setBack } from "./send-failure";

const LONGEST_TITLE = 60;

const { watch, notify } = createNotifier<[id: string]>();
let beginning: Promise<void> | null = null;

/** Asked twice it is made once. */
export function beginConversation(client: QueryClient, me: Me): Promise<void> {
  beginning ??= begun(client, me).finally(() => {
    beginning = null;
  });
  return beginning;
}

/** Hear of conversations that are made. */
export { watch as watchBeginnings };

async function begun(client: QueryClient, me: Me): Promise<void> {
  const box = newBox(me);
  const first = waitingIn(box).find((one) => one.refused === "");
  if (first === undefined) return;
  const body = { title: titleOf(first.content), system_prompt: "", external_id: first.externalId };
  try {
    const made = await taken(api.POST("/api/conversations", { body }));
    client.setQueryData(conversationQuery(made.id).queryKey, made);
    void client.invalidateQueries({ queryKey: keys.conversations });
    move(box, boxOf(me.user.id, me.workspace?.id ?? "", made.id));
    notify(made.id);
  } catch (error) {
    setBack(client, box, first, error);
  }
}

/** Where the messages of a conversation wait that is yet to be made. */
export function newBox(me: Me): string {
  return boxOf(me.user.id, me.workspace?.id ?? "", null);
}

/** The first words, whole ones where they fit, without the marks of Markdown. */
export function titleOf(content: string): string {
  const line = content
    .replace(/[`*#>]+/g, "")
    .replace(/\s+/g, " ")
    .trim();
  if (line.length <= LONGEST_TITLE) return line;
  const cut = line.slice(0, LONGEST_TITLE);
  const end = cut.lastIndexOf(" ");
  return `${(end > LONGEST_TITLE / 2 ? cut.slice(0, end) : cut).trimEnd()}…`;
}
