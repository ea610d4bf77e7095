/** Start a compaction, from any button. */

import { type Level, useCompact } from "@/api/compactions";
import { toastProblem } from "@/components/feedback/toast";
import { useDrawer } from "../drawer-context";

export function useCompactNow(): { compact: (level: Level) => void; isPending: boolean } {
  const { id, run } = useDrawer();
  const { mutateAsync, isPending } = useCompact(id);
  const compact = (level: Level) => void mutateAsync(level).then(run.follow, toastProblem);
  return { compact, isPending };
}
