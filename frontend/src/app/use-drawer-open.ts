/** Whether the Summary Drawer is open; this browser keeps it, but lays it over no page that is only just opened. */

import { useCallback, useState } from "react";
import { keep, kept } from "@/lib/local-storage";

const NAME = "drawer-open";
const HAS_ROOM_BESIDE = "(min-width: 1024px)";

export function useDrawerOpen(): [boolean, (open: boolean) => void] {
  const [open, setOpen] = useState(
    () => kept<boolean>(NAME, false) && window.matchMedia(HAS_ROOM_BESIDE).matches,
  );
  const become = useCallback((wanted: boolean) => {
    setOpen(wanted);
    keep(NAME, wanted);
  }, []);
  return [open, become];
}
