/** What the entries of a transcript are in the dialect of Claude Code's hooks. */
import type { SessionStoreEntry } from "./types.js";

export type HookEvent = { hook_event_name: string; [name: string]: unknown };
type Block = Record<string, unknown>;
type Call = { name: string; input: unknown };

const FINAL = new Set(["end_turn", "stop_sequence", "max_tokens", "refusal"]);
const MOST_OPEN_CALLS = 1_000;

/** Reads entries in their order, and remembers calls of tools until their results arrive. */
export class EventReader {
  private readonly calls = new Map<string, Call>();

  eventsOf(entry: SessionStoreEntry): HookEvent[] {
    const message = entry["message"];
    if (!isObject(message) || entry["isSidechain"] || entry["isMeta"]) return [];
    const blocks = blocksOf(message["content"]);
    const text = textOf(blocks);
    if (entry.type === "assistant") return this.ofAssistant(entry, blocks, text, message["stop_reason"]);
    if (entry.type !== "user") return [];
    if (entry["isCompactSummary"])
      return [{ hook_event_name: "PostCompact", trigger: "auto", compact_summary: text }];
    const results = blocks
      .filter((block) => block["type"] === "tool_result")
      .map((block) => this.result(block));
    const prompt = { hook_event_name: "UserPromptSubmit", prompt: text, prompt_id: entry.uuid };
    return text ? [...results, prompt] : results;
  }

  private ofAssistant(entry: SessionStoreEntry, blocks: Block[], text: string, reason: unknown): HookEvent[] {
    for (const block of blocks.filter((one) => one["type"] === "tool_use")) {
      this.calls.set(String(block["id"]), { name: String(block["name"] ?? ""), input: block["input"] });
    }
    for (const oldest of this.calls.keys()) {
      if (this.calls.size <= MOST_OPEN_CALLS) break;
      this.calls.delete(oldest);
    }
    const isFinal = typeof reason === "string" && FINAL.has(reason);
    return text && isFinal
      ? [{ hook_event_name: "Stop", last_assistant_message: text, prompt_id: entry.uuid }]
      : [];
  }

  private result(block: Block): HookEvent {
    const id = String(block["tool_use_id"]);
    const call = this.calls.get(id) ?? { name: "", input: null };
    this.calls.delete(id);
    const event = { tool_name: call.name, tool_input: call.input, tool_use_id: id };
    return block["is_error"]
      ? { hook_event_name: "PostToolUseFailure", ...event, error: block["content"] }
      : { hook_event_name: "PostToolUse", ...event, tool_response: block["content"] };
  }
}

function textOf(blocks: Block[]): string {
  const texts = blocks.filter((block) => block["type"] === "text" && block["text"]);
  return texts.map((block) => String(block["text"])).join("\n");
}

function blocksOf(content: unknown): Block[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
