/** How large a draft is by the server's numbers: its estimated tokens, and the limit where it is too long. */

import { useQuery } from "@tanstack/react-query";
import { policyQuery } from "@/api/policy";
import { characters, estimatedTokens } from "@/lib/token-estimate";

interface Size {
  /** `null` for an empty draft, and until the server's numbers are known. */
  tokens: number | null;
  /** `null` while it is not too long. */
  exceeded: number | null;
}

export function useSize(draft: string): Size {
  const limits = useQuery(policyQuery).data?.limits;
  if (limits === undefined || draft.trim() === "") return { tokens: null, exceeded: null };
  const longest = limits.message_characters;
  return {
    tokens: estimatedTokens(draft, limits),
    exceeded: characters(draft) > longest ? longest : null,
  };
}
