/** Send a message of the outbox and stream its reply. */

import type { QueryClient } from "@tanstack/react-query";
import { keys } from "@/api/keys";
import { isProblem } from "@/api/problems";
import { startTurn } from "@/api/turns";
import { refetchSoon } from "@/events/refetch";
import { removeUnsent, type UnsentMessage, unsentIn } from "@/lib/outbox";
import { recordFailure } from "./send-failure";
import { countFetched, countSent, toastReconnectSummary } from "./reconnect-summary";
import { followTurn } from "./reply-streams";

/** The box and the conversation that it belongs to. */
export interface SendTarget {
  client: QueryClient;
  id: string;
  box: string;
}

export async function sendMessage(target: SendTarget, message: UnsentMessage): Promise<void> {
  const { client, id, box } = target;
  try {
    const { state } = await followTurn(
      id,
      (signal) => startTurn(id, requestBody(message), signal),
      () => onStored(target, message),
    );
    if (wasOffline(message) && state === "ended") countFetched();
    refetchAfterTurn(client, id);
    if (!unsentIn(box).some(wasOffline)) toastReconnectSummary();
  } catch (error) {
    if (isProblem(error, "not_the_newest")) onStored(target, message);
    else recordFailure(client, box, message, error);
  }
}

function requestBody({ content, externalId, name }: UnsentMessage) {
  return { content, name, role: "user", external_id: externalId } as const;
}

function onStored({ client, id, box }: SendTarget, message: UnsentMessage): void {
  removeUnsent(box, message.externalId);
  if (wasOffline(message)) countSent();
  refetchAfterTurn(client, id);
}

function wasOffline({ delay }: UnsentMessage): boolean {
  return delay === "connection";
}

/** Refetch what a turn changes, in case the socket is disconnected. */
export function refetchAfterTurn(client: QueryClient, id: string): void {
  refetchSoon(client, [keys.messages(id)]);
  void client.invalidateQueries({ queryKey: keys.conversation(id), exact: true }, { cancelRefetch: false });
}
