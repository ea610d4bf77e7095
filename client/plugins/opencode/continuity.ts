/**
 * OpenCode plugin: stores what happens in a session on a Continuity server, and adds what is known.
 *
 * It runs the command `continuity`, which never fails and whose spool survives a server that is down.
 */
import { spawn } from "node:child_process"

const COMMAND = ["continuity"]
/** A little more than the deadline of the command itself. */
const START_MS = 6_000
const OTHER_MS = 4_000

type Json = Record<string, unknown>
type Part = { type?: string; text?: string; synthetic?: boolean; messageID?: string }
type Message = { id?: string; role?: string; sessionID?: string; time?: { completed?: number } }
type BusEvent = { type: string; properties?: Json }
type PluginInput = { directory: string }

/** Run a hook with an event as its input; what it prints, or nothing after a failure or the deadline. */
function hook(event: string, payload: Json): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const limit = event === "start" ? START_MS : OTHER_MS
    const child = spawn(COMMAND[0], [...COMMAND.slice(1), "hook", event, "--client", "opencode"], {
      stdio: ["pipe", "pipe", "ignore"],
      timeout: limit,
    })
    child.on("error", () => resolve(""))
    child.on("close", () => resolve(Buffer.concat(chunks).toString("utf8")))
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk))
    child.stdin.on("error", () => undefined)
    child.stdin.end(JSON.stringify(payload))
  })
}

/** The text for the model in the output of a hook. */
function contextOf(output: string): string {
  try {
    const text: unknown = JSON.parse(output)?.hookSpecificOutput?.additionalContext
    return typeof text === "string" ? text : ""
  } catch {
    return ""
  }
}

function textOf(parts: Part[]): string {
  return parts
    .filter((part) => part.type === "text" && !part.synthetic && part.text)
    .map((part) => part.text)
    .join("\n")
}

export const Continuity = async ({ directory }: PluginInput) => {
  /** What is known, per session; asked once, and again after a compaction. */
  const contexts = new Map<string, Promise<string>>()
  /** The texts of the assistant's messages that are not finished. */
  const replies = new Map<string, Map<string, string>>()
  const lastReply = new Map<string, string>()

  const event = (name: string, sessionID: string, more: Json = {}): Json => ({
    hook_event_name: name,
    session_id: sessionID,
    cwd: directory,
    ...more,
  })

  const start = (sessionID: string, source: string): Promise<string> => {
    const known = hook("start", event("SessionStart", sessionID, { source })).then(contextOf)
    contexts.set(sessionID, known)
    return known
  }

  const forget = (sessionID: string): void => {
    contexts.delete(sessionID)
    lastReply.delete(sessionID)
    replies.delete(sessionID)
  }

  const onMessage = (info: Message): void => {
    if (info.role !== "assistant" || !info.sessionID || !info.id || !info.time?.completed) return
    const text = replies.get(info.sessionID)?.get(info.id)
    if (text) lastReply.set(info.sessionID, text)
    replies.get(info.sessionID)?.delete(info.id)
  }

  const onPart = (part: Part & { sessionID?: string }): void => {
    if (part.type !== "text" || part.synthetic || !part.text || !part.sessionID || !part.messageID) return
    const texts = replies.get(part.sessionID) ?? new Map<string, string>()
    replies.set(part.sessionID, texts.set(part.messageID, part.text))
  }

  const onIdle = async (sessionID: string): Promise<void> => {
    const reply = lastReply.get(sessionID)
    lastReply.delete(sessionID)
    await hook("stop", event("Stop", sessionID, reply ? { last_assistant_message: reply } : {}))
  }

  return {
    event: async ({ event: bus }: { event: BusEvent }): Promise<void> => {
      const properties = bus.properties ?? {}
      const sessionID = String(properties.sessionID ?? (properties.info as Json | undefined)?.id ?? "")
      if (bus.type === "message.updated") onMessage(properties.info as Message)
      if (bus.type === "message.part.updated") onPart(properties.part as Part)
      if (bus.type === "session.idle" && sessionID) await onIdle(sessionID)
      if (bus.type === "session.compacted" && sessionID) {
        await hook("postcompact", event("PostCompact", sessionID))
        await start(sessionID, "compact")
      }
      if (bus.type === "session.deleted" && sessionID) {
        await hook("end", event("SessionEnd", sessionID, { reason: "other" }))
        forget(sessionID)
      }
    },

    "chat.message": async (
      input: { sessionID: string; messageID?: string; model?: { modelID?: string } },
      output: { parts: Part[] },
    ): Promise<void> => {
      const prompt = textOf(output.parts)
      if (!prompt) return
      // The first prompt of a session starts it, so that sessions nobody uses are not recorded.
      if (!contexts.has(input.sessionID)) void start(input.sessionID, "startup")
      const more = { prompt, prompt_id: input.messageID, model: input.model?.modelID }
      await hook("submit", event("UserPromptSubmit", input.sessionID, more))
    },

    "tool.execute.after": async (
      input: { tool: string; sessionID: string; callID: string; args?: unknown },
      output: { title: string; output: string; metadata?: unknown },
    ): Promise<void> => {
      const more = { tool_name: input.tool, tool_use_id: input.callID, tool_input: input.args ?? { title: output.title } }
      await hook("tool", event("PostToolUse", input.sessionID, { ...more, tool_response: { output: output.output } }))
    },

    "experimental.chat.system.transform": async (
      input: { sessionID?: string },
      output: { system: string[] },
    ): Promise<void> => {
      const known = await contexts.get(input.sessionID ?? "")
      if (known) output.system.push(known)
    },

    /** The compaction's prompt gets our summary, so that it loses none of the decisions. */
    "experimental.session.compacting": async (
      input: { sessionID: string },
      output: { context: string[] },
    ): Promise<void> => {
      await hook("precompact", event("PreCompact", input.sessionID, { trigger: "auto" }))
      const known = contextOf(await hook("start", event("SessionStart", input.sessionID, { source: "compact" })))
      if (known) output.context.push(known)
    },
  }
}
