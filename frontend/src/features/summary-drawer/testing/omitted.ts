/** A pack that omits nothing. */

import type { Context } from "@/api/context";

export const OMITTED: Context["metadata"]["omitted"] = {
  user_memory: [],
  summary_lines: [],
  excerpts: [],
  messages_before: null,
  retrieved: [],
  identity: [],
  preferences: [],
};
