/** Create the conversation that waiting messages belong to. */

import type { QueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { conversationQuery } from "@/api/conversations";
import { keys } from "@/api/keys";
import type { Me } from "@/api/session";
import { createNotifier } from "@/lib/notifier";
import { boxOf, moveUnsent, unsentIn } from "@/lib/outbox";
import { recordFailure } from "./send-failure";

const MAX_TITLE_LENGTH = 60;
/** A tag of a private part, as the server reads it. */
const PRIVATE_TAG = /<\s{0,5}(\/?)\s{0,5}private\b[^<>]*>/gi;

const { subscribe, notify } = createNotifier<[id: string]>();
let pending: Promise<void> | null = null;

/** Concurrent calls create one conversation. */
export function createConversationFromOutbox(client: QueryClient, me: Me): Promise<void> {
  pending ??= createConversation(client, me).finally(() => {
    pending = null;
  });
  return pending;
}

/** Subscribe to created conversations. */
export { subscribe as subscribeToCreated };

async function createConversation(client: QueryClient, me: Me): Promise<void> {
  const box = newBox(me);
  const first = unsentIn(box).find((one) => one.refused === "");
  if (first === undefined) return;
  const { content, externalId, temporary = false } = first;
  const body = { title: titleOf(content), system_prompt: "", external_id: externalId, temporary };
  try {
    const created = await unwrap(api.POST("/api/conversations", { body }));
    client.setQueryData(conversationQuery(created.id).queryKey, created);
    void client.invalidateQueries({ queryKey: keys.conversations });
    moveUnsent(box, boxOf(me.user.id, me.workspace?.id ?? "", created.id));
    notify(created.id);
  } catch (error) {
    recordFailure(client, box, first, error);
  }
}

/** The box for messages of a conversation that does not exist yet. */
export function newBox(me: Me): string {
  return boxOf(me.user.id, me.workspace?.id ?? "", null);
}

/** The first words without private parts and Markdown marks, cut at a word boundary if possible. */
export function titleOf(content: string): string {
  const line = withoutPrivate(content)
    .replace(/[`*#>]+/g, "")
    .replace(/\s+/g, " ")
    .trim();
  if (line.length <= MAX_TITLE_LENGTH) return line;
  const cut = line.slice(0, MAX_TITLE_LENGTH);
  const end = cut.lastIndexOf(" ");
  return `${(end > MAX_TITLE_LENGTH / 2 ? cut.slice(0, end) : cut).trimEnd()}…`;
}

/** Nested tags are counted, and a part without an end runs to the end of the text. */
function withoutPrivate(text: string): string {
  let depth = 0;
  let end = 0;
  let written = "";
  for (const tag of text.matchAll(PRIVATE_TAG)) {
    const closes = tag[1] !== "";
    if (closes && depth === 0) continue;
    if (depth === 0) written += `${text.slice(end, tag.index)} `;
    depth += closes ? -1 : 1;
    if (depth === 0) end = tag.index + tag[0].length;
  }
  return depth === 0 ? written + text.slice(end) : written;
}
