/** The size of a draft: its estimated tokens, and the limit that it exceeds. */

import { useQuery } from "@tanstack/react-query";
import { policyQuery } from "@/api/policy";
import { characters, estimatedTokens } from "@/lib/token-estimate";

interface DraftSize {
  /** `null` for an empty draft, and until the server's rates are loaded. */
  tokens: number | null;
  /** `null` while it is within the limits. */
  exceeded: number | null;
}

export function useDraftSize(draft: string): DraftSize {
  const limits = useQuery(policyQuery).data?.limits;
  if (limits === undefined || draft.trim() === "") return { tokens: null, exceeded: null };
  const limit = limits.message_characters;
  return {
    tokens: estimatedTokens(draft, limits),
    exceeded: characters(draft) > limit ? limit : null,
  };
}
