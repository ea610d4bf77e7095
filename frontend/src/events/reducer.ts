/** What one sees of a conversation, and what every frame makes of it. Pure: the same frames give the same view. */

import type { EventOf, Frame, LiveState, SnapshotFrame } from "./types";

const NEWEST_MESSAGES = 50;
/** How a part of an event changes the view's; the compiler names a part that is missing here. */
const MERGED: Record<keyof LiveState, "replaced" | "by_id"> = {
  conversation: "replaced",
  counts: "replaced",
  summary: "replaced",
  compaction: "replaced",
  turn: "replaced",
  pins: "replaced",
  health: "replaced",
  messages: "by_id",
};
const REPLACED = Object.keys(MERGED).filter((part) => MERGED[part as keyof LiveState] === "replaced");

export interface Stage {
  runId: string;
  stage: string;
  progress: number;
}

/** An event that counts the conversation's version up. */
type Change = Exclude<Extract<Frame, { type: "event"; version: number }>, { name: "HealthChanged" }>;

/** `stale` asks for a snapshot: something was missed. */
export interface View {
  state: LiveState;
  version: number;
  healthVersion: number;
  stale: boolean;
  stage: Stage | null;
}

export function seen(view: View | null, frame: Frame): View | null {
  if (frame.type === "snapshot") return replaced(view, frame);
  if (view === null || frame.type === "revoked") return view;
  if (frame.type === "version") return { ...view, stale: view.stale || isAhead(view, frame.version) };
  if (!("version" in frame)) return view;
  return frame.name === "HealthChanged" ? withHealth(view, frame) : changed(view, frame);
}

function replaced(view: View | null, { version, state }: SnapshotFrame): View {
  if (view !== null && version < view.version) return view;
  return { state, version, healthVersion: version, stale: false, stage: stageOf(state) };
}

function isAhead(view: View, version: number): boolean {
  return version > Math.min(view.version, view.healthVersion);
}

function withHealth(view: View, { data, version }: EventOf<"HealthChanged">): View {
  const stale = view.stale || version > view.version;
  if (version < view.healthVersion) return { ...view, stale };
  return { ...view, state: { ...view.state, health: data.health }, healthVersion: version, stale };
}

function changed(view: View, { data, version }: Change): View {
  if (version <= view.version) return view;
  if (version > view.version + 1) return { ...view, stale: true };
  const parts: Partial<LiveState> = data;
  const replacing = Object.entries(parts).filter(([part]) => REPLACED.includes(part));
  const messages = merged(view.state.messages, parts.messages ?? []);
  const state = { ...view.state, ...Object.fromEntries(replacing), messages };
  return { ...view, state, version, stage: stageOf(state) };
}

function merged(known: LiveState["messages"], news: LiveState["messages"]): LiveState["messages"] {
  if (news.length === 0) return known;
  const byId = new Map([...known, ...news].map((message) => [message.id, message]));
  return [...byId.values()].sort((one, other) => one.index - other.index).slice(-NEWEST_MESSAGES);
}

/** What the compaction is at, while it runs. */
function stageOf({ compaction }: LiveState): Stage | null {
  if (compaction === null || compaction.stage === "") return null;
  return { runId: compaction.run_id, stage: compaction.stage, progress: compaction.progress };
}
