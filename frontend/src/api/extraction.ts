/** Memories from a conversation: ask for them and wait until they are made. */

import { api, type Schemas, unwrap } from "./client";
import { path } from "./conversations";
import { Problem } from "./problems";

type Operation = Schemas["Operation"];

/** What became of the statements found; `reason` says why nothing was stored. */
export interface ExtractionResult {
  created: number;
  proposed: number;
  known: number;
  reason: "" | "nothing_new" | "nothing_found";
}

const POLL_MS = 700;

export async function extractMemories(id: string): Promise<ExtractionResult> {
  let operation = await unwrap(api.POST("/api/conversations/{conversation_id}/extraction", path(id)));
  while (isOpen(operation)) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const params = { path: { operation_id: operation.id } };
    operation = await unwrap(api.GET("/api/operations/{operation_id}", { params }));
  }
  if (operation.state === "failed") throw new Problem(500, operation.error ?? {});
  return operation.result as unknown as ExtractionResult;
}

function isOpen({ state }: Operation): boolean {
  return state === "queued" || state === "running";
}
