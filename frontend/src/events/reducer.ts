/** What one sees of a conversation, and what every frame makes of it. Pure: the same frames give the same view. */

import type { EventFrame, Frame, LiveState, SnapshotFrame } from "./types";

const NEWEST_MESSAGES = 50;
const PARTS = ["conversation", "counts", "summary", "compaction", "turn", "pins", "health"] as const;

export interface Stage {
  runId: string;
  stage: string;
  progress: number;
}

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
  if (frame.name === "CompactionStaged") return staged(view, frame);
  if (frame.version === undefined) return view;
  return frame.name === "HealthChanged"
    ? withHealth(view, frame, frame.version)
    : changed(view, frame, frame.version);
}

function replaced(view: View | null, { version, state }: SnapshotFrame): View {
  if (view !== null && version < view.version) return view;
  return { state, version, healthVersion: version, stale: false, stage: kept(view?.stage ?? null, state) };
}

function isAhead(view: View, version: number): boolean {
  return version > Math.min(view.version, view.healthVersion);
}

function withHealth(view: View, { data }: EventFrame, version: number): View {
  const stale = view.stale || version > view.version;
  if (version < view.healthVersion || data.health === undefined) return { ...view, stale };
  return { ...view, state: { ...view.state, health: data.health }, healthVersion: version, stale };
}

function changed(view: View, { data }: EventFrame, version: number): View {
  if (version <= view.version) return view;
  if (version > view.version + 1) return { ...view, stale: true };
  const state = { ...view.state };
  for (const part of PARTS) if (part in data) Object.assign(state, { [part]: data[part] });
  state.messages = merged(state.messages, data.messages ?? []);
  return { ...view, state, version, stage: kept(view.stage, state) };
}

function merged(known: LiveState["messages"], news: LiveState["messages"]): LiveState["messages"] {
  if (news.length === 0) return known;
  const byId = new Map([...known, ...news].map((message) => [message.id, message]));
  return [...byId.values()].sort((one, other) => one.index - other.index).slice(-NEWEST_MESSAGES);
}

/** Progress never runs backwards. */
function staged(view: View, { data }: EventFrame): View {
  const { run_id: runId, stage, progress } = data;
  if (runId === undefined || stage === undefined || progress === undefined) return view;
  const before = view.stage?.runId === runId ? view.stage.progress : 0;
  return progress < before ? view : { ...view, stage: { runId, stage, progress } };
}

/** A stage holds while its run does. */
function kept(stage: Stage | null, { compaction }: LiveState): Stage | null {
  const runs = compaction?.state === "running" || compaction?.state === "queued";
  return stage !== null && runs && compaction.run_id === stage.runId ? stage : null;
}
