/** The stages of a run in order, with their states. */

export const STAGES = ["queued", "reading", "writing", "checking", "storing"] as const;
export type StageName = (typeof STAGES)[number];
export type StageState = "done" | "now" | "next";

/** An unknown stage counts as reading. */
export function stageStates(current: string): { name: StageName; state: StageState }[] {
  const at = Math.max(STAGES.indexOf(current as StageName), current === "queued" ? 0 : 1);
  return STAGES.map((name, index) => ({ name, state: stateOf(index, at) }));
}

function stateOf(index: number, at: number): StageState {
  if (index === at) return "now";
  return index < at ? "done" : "next";
}
