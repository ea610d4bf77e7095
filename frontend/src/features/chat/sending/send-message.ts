/** Sends a message that waits in the outbox, and follows its reply. */

import type { QueryClient } from "@tanstack/react-query";
import { keys } from "@/api/keys";
import { isProblem } from "@/api/problems";
import { turn } from "@/api/turns";
import { take, type Waiting, waitingIn } from "@/lib/outbox";
import { setBack } from "./send-failure";
import { countFetched, countSent, tellTally } from "./reconnect-summary";
import { followTurn } from "./reply-streams";

/** Whose outbox, for which conversation. */
export interface Errand {
  client: QueryClient;
  id: string;
  box: string;
}

export async function send(errand: Errand, message: Waiting): Promise<void> {
  const { client, id, box } = errand;
  try {
    const { state } = await followTurn(
      id,
      (signal) => turn(id, said(message), signal),
      () => stored(errand, message),
    );
    if (wasAway(message) && state === "ended") countFetched();
    await refreshed(client, id);
    if (!waitingIn(box).some(wasAway)) tellTally();
  } catch (error) {
    if (isProblem(error, "not_the_newest")) stored(errand, message);
    else setBack(client, box, message, error);
  }
}

function said({ content, externalId, name }: Waiting) {
  return { content, name, role: "user", external_id: externalId } as const;
}

function stored({ client, id, box }: Errand, message: Waiting): void {
  take(box, message.externalId);
  if (wasAway(message)) countSent();
  void refreshed(client, id);
}

function wasAway({ delay }: Waiting): boolean {
  return delay === "connection";
}

/** What a turn changes; the socket says so too, unless it is away. */
export async function refreshed(client: QueryClient, id: string): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: keys.messages(id) }),
    client.invalidateQueries({ queryKey: keys.conversation(id), exact: true }),
  ]);
}
