/**
 * OpenCode plugin: stores what happens in a session on a Continuity server, and adds what is known.
 *
 * It runs the command `continuity`, which never fails and whose spool survives a server that is down.
 */
import { spawn } from "node:child_process"

const COMMAND = ["continuity"]
/** A little more than the deadline of the command itself. */
const LONGEST_MS = 6_000

type Json = Record<string, unknown>
type Part = { type?: string; text?: string; synthetic?: boolean }
type BusEvent = { type: string; properties?: Json }
type PluginInput = { directory: string }

/** Events of the bus that the server reads. */
const FORWARDED = new Set(["session.idle", "session.error", "session.compacted", "session.deleted"])

/** Run a hook with an event as its input; what it prints, or nothing after a failure or the deadline. */
function hook(payload: Json): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const child = spawn(COMMAND[0], [...COMMAND.slice(1), "hook", "event", "--client", "opencode"], {
      stdio: ["pipe", "pipe", "ignore"],
      timeout: LONGEST_MS,
    })
    child.on("error", () => resolve(""))
    child.on("close", () => resolve(Buffer.concat(chunks).toString("utf8")))
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk))
    child.stdin.on("error", () => undefined)
    child.stdin.end(JSON.stringify(payload))
  })
}

/** The texts for the model in the output of a hook. */
function contextOf(output: string): string[] {
  try {
    const context: unknown = JSON.parse(output)?.context
    return Array.isArray(context) ? context.filter((text): text is string => typeof text === "string") : []
  } catch {
    return []
  }
}

/** The id of a session that the bus reports: of its own, or in its description. */
function sessionOf(properties: Json): string {
  const info = properties.info as Json | undefined
  return String(properties.sessionID ?? info?.id ?? "")
}

/** Whether a subagent's session is reported. A message has a parent too: the one that it answers. */
function isChild(event: BusEvent): boolean {
  const info = event.properties?.info as Json | undefined
  return event.type.startsWith("session.") && event.type !== "session.deleted" && Boolean(info?.parentID)
}

export const Continuity = async ({ directory }: PluginInput) => {
  /** What is known, per session: requested with its first prompt, and again after a compaction. */
  const contexts = new Map<string, Promise<string[]>>()
  /** Sessions of subagents, which the tool `task` starts: their prompts are a program's. */
  const children = new Set<string>()

  const send = (name: string, input: Json, output: Json = {}): Promise<string> =>
    hook({ hook_event_name: name, directory, timestamp: new Date().toISOString(), input, output })

  const start = (sessionID: string): void => {
    contexts.set(sessionID, send("session.created", { sessionID }).then(contextOf))
  }

  return {
    event: async ({ event }: { event: BusEvent }): Promise<void> => {
      const properties = event.properties ?? {}
      const sessionID = sessionOf(properties)
      if (!sessionID) return
      if (isChild(event)) children.add(sessionID)
      if (event.type === "session.deleted" && children.delete(sessionID)) return
      if (!FORWARDED.has(event.type) || children.has(sessionID)) return
      await send(event.type, { sessionID, error: properties.error })
      if (event.type === "session.compacted") start(sessionID)
      if (event.type === "session.deleted") contexts.delete(sessionID)
    },

    "chat.message": async (
      input: { sessionID: string; messageID?: string; model?: { modelID?: string } },
      output: { message?: { id?: string }; parts: Part[] },
    ): Promise<void> => {
      if (children.has(input.sessionID)) return
      // The first prompt starts a session, so that those that nobody uses are not recorded.
      if (!contexts.has(input.sessionID)) start(input.sessionID)
      const { sessionID, messageID, model } = input
      const parts = output.parts.map(({ type, text, synthetic }) => ({ type, text, synthetic }))
      const printed = await send("chat.message", { sessionID, messageID, model }, { message: { id: output.message?.id }, parts })
      const recalled = contextOf(printed)
      if (recalled.length > 0) {
        const known = contexts.get(sessionID)
        contexts.set(sessionID, Promise.resolve(known).then((texts) => [...(texts ?? []), ...recalled]))
      }
    },

    "experimental.text.complete": async (
      input: { sessionID: string; messageID: string; partID: string },
      output: { text: string },
    ): Promise<void> => {
      if (children.has(input.sessionID)) return
      await send("experimental.text.complete", { ...input }, { text: output.text })
    },

    "tool.execute.after": async (
      input: { tool: string; sessionID: string; callID: string; args?: unknown },
      output: { title: string; output: string },
    ): Promise<void> => {
      const { tool, sessionID, callID, args } = input
      if (children.has(sessionID)) return
      await send("tool.execute.after", { tool, sessionID, callID, args }, { title: output.title, output: output.output })
    },

    "experimental.chat.system.transform": async (
      input: { sessionID?: string },
      output: { system: string[] },
    ): Promise<void> => {
      output.system.push(...((await contexts.get(input.sessionID ?? "")) ?? []))
    },

    /** The compaction's prompt gets our summary, so that it loses none of the decisions. */
    "experimental.session.compacting": async (
      input: { sessionID: string },
      output: { context: string[] },
    ): Promise<void> => {
      if (children.has(input.sessionID)) return
      const printed = await send("experimental.session.compacting", { sessionID: input.sessionID })
      output.context.push(...contextOf(printed))
    },
  }
}
