/** Unsaved changes of the model settings. */

import type { Backend, ModelChanges, Models, Purpose } from "@/api/models";

export interface Draft {
  /** `null` selects the provider automatically. */
  backend?: Backend | null;
  names: Partial<Record<Purpose, string>>;
}

export const UNCHANGED: Draft = { names: {} };

/** The changes to send; null if there are none. */
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

/** The model names of the selected provider, or of the active one. */
export function suggestedNames({ backend, chosen, providers }: Models, draft: Draft): string[] {
  const selected = (draft.backend === undefined ? backend : draft.backend) ?? chosen[0]?.backend;
  return providers.find((one) => one.backend === selected)?.models ?? [];
}
