/** What happened in a session, in order: prompts, replies, and what tools and subagents did. */

import type { Message } from "@/api/messages";
import type { Observation } from "@/api/sessions";

export interface ToolLine {
  id: string;
  kind: Observation["kind"];
  title: string;
  digest: string;
  files: readonly string[];
  isError: boolean;
  isSubagents: boolean;
  details: unknown;
  at: string;
}

export type Step = { kind: "message"; message: Message } | { kind: "lines"; id: string; lines: ToolLine[] };

interface Entry {
  at: string;
  step: { message: Message } | { line: ToolLine };
}

/**
 * Merge loaded messages and observations by time. While there are earlier messages, observations before the first
 * loaded one wait for them.
 */
export function timelineOf(
  messages: readonly Message[],
  observations: readonly Observation[],
  hasEarlierMessages: boolean,
): Step[] {
  const observed = new Set(observations.map(({ message_id }) => message_id));
  const first = messages[0]?.created_at;
  const isReached = ({ occurred_at }: Observation) =>
    !hasEarlierMessages || first === undefined || Date.parse(occurred_at) >= Date.parse(first);
  const entries = [
    ...messages.flatMap((message) => entriesOf(message, observed)),
    ...observations.filter(isReached).map((one) => ({ at: one.occurred_at, step: { line: lineOf(one) } })),
  ];
  return grouped(entries.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)));
}

/** A title in which paths below the session's directory begin there. */
export function titleIn(title: string, directory: string): string {
  if (directory.length < 2) return title;
  const escaped = directory.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return title.replace(new RegExp(String.raw`(^|[\s"'=:(])${escaped}/(?=\S)`, "g"), "$1");
}

/** A tool's call is told by its observation; without one, as in an import, by its result. */
function entriesOf(message: Message, observed: ReadonlySet<string | null>): Entry[] {
  if (message.role === "tool") return observed.has(message.id) ? [] : resultsOf(message);
  if (message.state !== "deleted" && textOf(message) === "") return [];
  return [{ at: message.created_at, step: { message } }];
}

function resultsOf(message: Message): Entry[] {
  return message.parts
    .filter(({ kind }) => kind === "tool_result")
    .map((part, place) => ({
      at: message.created_at,
      step: {
        line: {
          id: `${message.id} ${place}`,
          kind: "tool",
          title: part.name ?? "tool",
          digest: (part.summary ?? "") === "" ? (part.text ?? "") : (part.summary ?? ""),
          files: [],
          isError: false,
          isSubagents: false,
          details: {},
          at: message.created_at,
        },
      },
    }));
}

function lineOf(one: Observation): ToolLine {
  return {
    id: one.id,
    kind: one.kind,
    title: one.title,
    digest: one.digest,
    files: one.files,
    isError: one.is_error,
    isSubagents: one.agent_id !== "",
    details: one.details,
    at: one.occurred_at,
  };
}

/** Lines that follow each other are one list. */
function grouped(entries: readonly Entry[]): Step[] {
  const steps: Step[] = [];
  for (const { step } of entries) {
    const before = steps.at(-1);
    if ("message" in step) steps.push({ kind: "message", message: step.message });
    else if (before?.kind === "lines") before.lines.push(step.line);
    else steps.push({ kind: "lines", id: step.line.id, lines: [step.line] });
  }
  return steps;
}

/** The text of a message without its tool calls and reasoning. */
export function textOf({ content, parts }: Message): string {
  const texts = parts.filter(({ kind }) => kind === "text").map(({ text }) => text ?? "");
  return [content, ...texts].filter((text) => text !== "").join("\n\n");
}

/** How the agent's own summary compares with ours, if it was compared. */
export function comparisonOf(details: unknown): { compared: number; lost: string[] } | null {
  if (typeof details !== "object" || details === null) return null;
  const { compared, lost } = details as { compared?: unknown; lost?: unknown };
  if (typeof compared !== "number" || compared === 0 || !Array.isArray(lost)) return null;
  return { compared, lost: lost.map(String) };
}
