/**
 * Refetch outdated queries: a burst of events leads to one refetch, and requests under way are not aborted but
 * followed by another, because their response may be older than the event.
 */

import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";
import { isUnder, type Key } from "./invalidation";

const COLLECT_MS = 100;

const collected = new WeakMap<QueryClient, Key[]>();

export function refetchSoon(client: QueryClient, outdated: readonly Key[]): void {
  if (outdated.length === 0) return;
  const waiting = collected.get(client);
  if (waiting !== undefined) {
    waiting.push(...outdated);
    return;
  }
  collected.set(client, [...outdated]);
  setTimeout(() => refetchCollected(client), COLLECT_MS);
}

function refetchCollected(client: QueryClient): void {
  const outdated = collected.get(client) ?? [];
  collected.delete(client);
  const predicate = ({ queryKey }: Query) => outdated.some((key) => isUnder(queryKey, key));
  const fetching = client.getQueryCache().findAll({ predicate, fetchStatus: "fetching" });
  void client.invalidateQueries({ predicate }, { cancelRefetch: false });
  for (const { queryKey } of fetching) void refetchAfterCurrent(client, queryKey);
}

async function refetchAfterCurrent(client: QueryClient, queryKey: QueryKey): Promise<void> {
  await client.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false });
  // Of several events during one request, one refetches.
  await client.invalidateQueries({ queryKey, exact: true, fetchStatus: "idle" });
}
