/** The open state of the Summary Drawer. The browser stores it, but a page never starts with an overlay. */

import { useCallback, useState } from "react";
import { writeStored, readStored } from "@/lib/local-storage";

const NAME = "drawer-open";
const FITS_NEXT_TO_THREAD = "(min-width: 1024px)";

export function useDrawerOpen(): [boolean, (open: boolean) => void] {
  const [open, setOpen] = useState(
    () => readStored<boolean>(NAME, false) && window.matchMedia(FITS_NEXT_TO_THREAD).matches,
  );
  const setAndStore = useCallback((isOpen: boolean) => {
    setOpen(isOpen);
    writeStored(NAME, isOpen);
  }, []);
  return [open, setAndStore];
}
