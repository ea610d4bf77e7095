/** Sample messages and turn events in the server's format. */

import type { Compaction } from "@/api/compactions";
import type { Message } from "@/api/messages";
import type { TurnFinished, TurnStarted } from "@/api/turns";

export function userMessage(changes: Partial<Message> = {}): Message {
  return {
    id: "m0",
    index: 0,
    role: "user",
    name: "",
    content: "A question",
    parts: [],
    status: "complete",
    state: "live",
    token_count: 7,
    tokens_through: 7,
    error_code: "",
    used_count: 0,
    usage: null,
    external_id: null,
    created_at: "2026-11-20T10:00:00Z",
    ...changes,
  };
}

export function started(): TurnStarted {
  return { name: "started", data: { message: userMessage(), reply: { id: "r1", index: 1 } } };
}

export function finished(status: Message["status"] = "complete", error_code = ""): TurnFinished {
  return { name: "finished", data: { reply: { id: "r1", index: 1, status, error_code } } };
}

export function compaction(version: number, changes: Partial<Compaction> = {}): Compaction {
  return {
    id: `run${version}`,
    conversation_id: "c1",
    operation_id: null,
    trigger: "auto",
    level: "light",
    state: "succeeded",
    version,
    base_version: version - 1,
    compacted_from: 0,
    compacted_through: 9,
    compacted_count: 10,
    tokens_before: 8112,
    tokens_after: 6724,
    preservation_ratio: 80,
    model: "",
    fallback_reason: "",
    error_code: "",
    error: "",
    retry_at: null,
    stage: "",
    progress: 100,
    created_at: "2026-11-20T10:29:00Z",
    started_at: "2026-11-20T10:29:00Z",
    finished_at: "2026-11-20T10:30:01Z",
    ...changes,
  };
}
