/** What a compaction would bring, estimated from what the page knows; the server alone folds. */

import type { Level } from "@/api/compactions";
import type { PackMetadata } from "@/api/context";
import type { Policy } from "@/api/policy";
import type { LiveState } from "@/events/types";

export interface Expectation {
  /** Live tokens that would be folded. */
  folds: number;
  /** By how much the context gets smaller, the larger summary taken off. */
  frees: number;
  summary: number;
}

type Known = Pick<LiveState, "counts" | "messages" | "summary">;

/** Of the lines that a field may hold, how many a rewrite at this level keeps. */
const KEPT_LINES: Record<Level, number> = { light: 1, deep: 0.8, aggressive: 0.6 };
const TOKENS_OF_A_LINE = 26;
/** What a summary takes of what it tells, where none is there to go by. */
const USUAL_DENSITY = 0.3;
const HIGHEST_DENSITY = 0.6;

export function expected(
  known: Known,
  level: Level,
  policy: Policy,
  limits: PackMetadata["limits"],
): Expectation {
  const folds = Math.min(foldable(known, policy), policy.max_fold_tokens);
  const { tokens } = known.summary;
  const room = Object.values(limits.summary_lines).reduce((sum, lines) => sum + lines, 0) * TOKENS_OF_A_LINE;
  const most = Math.max(tokens, room) * KEPT_LINES[level];
  const summary = folds === 0 ? tokens : Math.round(Math.min(tokens + folds * density(known), most));
  return { folds, summary, frees: Math.max(0, folds + tokens - summary) };
}

/** What is older than the recent messages, or if nothing is, than the newest. */
function foldable({ counts, messages }: Known, policy: Policy): number {
  const live = messages.filter(({ state }) => state === "live");
  const newestUser = live.findLast(({ role }) => role === "user");
  const beyond = (keep: number) => {
    if (counts.live_count <= keep) return 0;
    const kept = new Set(live.slice(-keep));
    if (newestUser) kept.add(newestUser);
    const cost = [...kept].reduce(
      (sum, one) => sum + Math.min(one.token_count, policy.long_message_tokens),
      0,
    );
    return Math.max(0, counts.live_tokens - cost);
  };
  return beyond(policy.recent_message_count) || beyond(policy.newest_message_count);
}

/** As dense as the summary is so far. */
function density({ counts, summary }: Known): number {
  const told = counts.token_total - counts.excluded_tokens - counts.live_tokens;
  return summary.tokens === 0 || told <= 0 ? USUAL_DENSITY : Math.min(HIGHEST_DENSITY, summary.tokens / told);
}
