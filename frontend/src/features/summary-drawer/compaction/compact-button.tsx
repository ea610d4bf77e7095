/** Asking for a compaction, from whichever button. */

import type { ReactNode } from "react";
import { type Level, useCompact } from "@/api/compactions";
import { toastProblem } from "@/components/toast";
import { useDrawer } from "../drawer-context";

export function useCompaction(): { compact: (level: Level) => void; isPending: boolean } {
  const { id, run } = useDrawer();
  const { mutateAsync, isPending } = useCompact(id);
  const compact = (level: Level) => void mutateAsync(level).then(run.follow, toastProblem);
  return { compact, isPending };
}

export function CompactButton({
  render,
}: {
  render: (compact: () => void, isPending: boolean) => ReactNode;
}) {
  const { compact, isPending } = useCompaction();
  return render(() => compact("light"), isPending);
}
