/** The steps of a run in their order, and how far each is. */

export const STAGES = ["queued", "reading", "writing", "checking", "storing"] as const;
export type StageName = (typeof STAGES)[number];
export type StageState = "done" | "now" | "next";

/** A step that nobody knows yet counts as the reading. */
export function stageStates(present: string): { name: StageName; state: StageState }[] {
  const at = Math.max(STAGES.indexOf(present as StageName), present === "queued" ? 0 : 1);
  return STAGES.map((name, place) => ({ name, state: stateOf(place, at) }));
}

function stateOf(place: number, at: number): StageState {
  if (place === at) return "now";
  return place < at ? "done" : "next";
}
