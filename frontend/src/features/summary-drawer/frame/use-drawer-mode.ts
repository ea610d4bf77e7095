/** The drawer's mode by window width: next to the thread, over it, or as a bottom sheet. */

import { useMedia } from "@/lib/media";

export type DrawerMode = "beside" | "over" | "sheet";

export function useDrawerMode(): DrawerMode {
  const isBeside = useMedia("(min-width: 1024px)");
  const isOver = useMedia("(min-width: 768px)");
  if (isBeside) return "beside";
  return isOver ? "over" : "sheet";
}
