/** How the drawer stands in the page: beside the thread, over it, or as a sheet from below. */

import { useMedia } from "@/lib/media";

export type Room = "beside" | "over" | "sheet";

export function useRoom(): Room {
  const isBeside = useMedia("(min-width: 1024px)");
  const isOver = useMedia("(min-width: 768px)");
  if (isBeside) return "beside";
  return isOver ? "over" : "sheet";
}
