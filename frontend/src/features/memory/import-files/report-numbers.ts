/** Numbers of a report. */

import type { FileReport, ImportStatus } from "@/api/import-files";

export const STATUSES = ["created", "existing", "skipped", "refused"] as const satisfies ImportStatus[];

/** The order in which kinds are listed; others follow. */
const ORDER = [
  ...["session", "agent_session", "transcript", "conversation", "prompt", "tool_use", "observation"],
  ...["agent_observation", "summary", "summary_version", "memory", "node", "node_history", "node_conflict"],
  ...["session_memory", "user_memory", "pin"],
];

export interface KindRow {
  kind: string;
  counts: Record<ImportStatus, number>;
}

export function rowsOf({ counts }: FileReport): KindRow[] {
  return Object.entries(counts)
    .map(([kind, known]) => ({
      kind,
      counts: {
        created: known.created ?? 0,
        existing: known.existing ?? 0,
        skipped: known.skipped ?? 0,
        refused: known.refused ?? 0,
      },
    }))
    .sort((one, other) => placeOf(one.kind) - placeOf(other.kind));
}

/** How many items an import creates or changes. */
export function changedItems(report: FileReport): number {
  return rowsOf(report).reduce((sum, { counts }) => sum + counts.created, report.updated);
}

/** Whether an import would store anything. */
export function isWorthwhile(report: FileReport): boolean {
  return changedItems(report) > 0 || report.messages > 0;
}

export function hasSessions({ counts, first }: FileReport): boolean {
  const links = Object.values(first).flat();
  return ["session", "transcript", "agent_session"].some((kind) => kind in counts) || links.some(isOfSession);
}

export function hasChats({ counts }: FileReport): boolean {
  return "conversation" in counts;
}

function isOfSession({ is_session }: { is_session: boolean }): boolean {
  return is_session;
}

function placeOf(kind: string): number {
  const place = ORDER.indexOf(kind);
  return place === -1 ? ORDER.length : place;
}
