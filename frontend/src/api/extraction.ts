/** Memories from a conversation: how far it was read, and a request that waits until they are made. */

import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "./client";
import { path } from "./conversations";
import { keys } from "./keys";
import { Problem } from "./problems";

type Operation = Schemas["Operation"];

/** What became of the statements found; `reason` says why nothing was stored. */
export type ExtractionResult = Schemas["RunResult"];

const POLL_MS = 700;

/** A run that shows no progress for so long waits for a worker. */
const PATIENCE_MS = 60_000;

export type ExtractionState = Schemas["ExtractionState"];

/** How far a chat was read for memories. */
export function extractionQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.memories(id), "state"],
    queryFn: ({ signal }) =>
      unwrap(api.GET("/api/conversations/{conversation_id}/extraction", { ...path(id), signal })),
  });
}

const READING_POLL_MS = 1_000;
/** A worker that is away reads later; nobody waits for it. */
const MOST_POLLS = 10;

/** Whether a message that was just sent is still being read for memories; asked again a few times until it was. */
export function beingReadQuery(id: string, messageId: string) {
  return queryOptions({
    ...extractionQuery(id),
    queryKey: [...keys.memories(id), "being-read", messageId],
    select: (state: ExtractionState) => state.is_being_read,
    refetchInterval: ({
      state,
    }: {
      state: { data?: ExtractionState | undefined; dataUpdateCount: number };
    }) => (state.data?.is_being_read && state.dataUpdateCount < MOST_POLLS ? READING_POLL_MS : false),
  });
}

/** The result, or null if the run goes on in the background. */
export async function extractMemories(id: string, patience = PATIENCE_MS): Promise<ExtractionResult | null> {
  let operation = await unwrap(api.POST("/api/conversations/{conversation_id}/extraction", path(id)));
  let waited = 0;
  while (isOpen(operation)) {
    if (waited >= patience) return null;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const params = { path: { operation_id: operation.id } };
    const next = await unwrap(api.GET("/api/operations/{operation_id}", { params }));
    waited = next.stage === operation.stage ? waited + POLL_MS : 0;
    operation = next;
  }
  if (operation.state === "failed") throw new Problem(500, operation.error ?? {});
  return operation.result as unknown as ExtractionResult;
}

function isOpen({ state }: Operation): boolean {
  return state === "queued" || state === "running";
}
