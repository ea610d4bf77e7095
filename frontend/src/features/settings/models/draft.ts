/** What somebody chose and did not save yet; everything else is as the server has it. */

import type { Backend, ModelChanges, Models, Purpose } from "@/api/models";

export interface Draft {
  /** `null` for none in particular. */
  backend?: Backend | null;
  names: Partial<Record<Purpose, string>>;
}

export const NOTHING: Draft = { names: {} };

/** As the server takes it; null where nothing is different. */
export function changesOf(models: Models, { backend, names }: Draft): ModelChanges | null {
  const other = Object.entries(names)
    .map(([purpose, name]) => [purpose as Purpose, name.trim()] as const)
    .filter(([purpose, name]) => name !== (models.by_purpose[purpose] ?? ""));
  const changes: ModelChanges = {
    ...(backend !== undefined && backend !== models.backend && { backend }),
    ...(other.length > 0 && {
      by_purpose: Object.fromEntries(other.map(([purpose, name]) => [purpose, name || null])),
    }),
  };
  return Object.keys(changes).length === 0 ? null : changes;
}

/** Names that the chosen provider knows; without a choice those of the one that answers. */
export function suggested({ backend, chosen, found }: Models, draft: Draft): string[] {
  const wanted = (draft.backend === undefined ? backend : draft.backend) ?? chosen[0]?.backend;
  return found.find((one) => one.backend === wanted)?.models ?? [];
}
