/** The open state of the Summary Drawer. The browser stores it, but a page never starts with an overlay. */

import { useCallback, useState } from "react";
import { writeStored, readStored } from "@/lib/local-storage";

const NAME = "drawer-open";
const FITS_NEXT_TO_THREAD = "(min-width: 1024px)";

/** The tour opens it where there is room; the browser does not store that. */
export function useDrawerOpen(isTouring: boolean): [boolean, (open: boolean) => void] {
  const [open, setOpen] = useState(() => readStored<boolean>(NAME, false) && fitsNextToThread());
  const [wasTouring, setWasTouring] = useState(false);
  if (isTouring !== wasTouring) {
    setWasTouring(isTouring);
    if (isTouring && fitsNextToThread()) setOpen(true);
  }
  const setAndStore = useCallback((isOpen: boolean) => {
    setOpen(isOpen);
    writeStored(NAME, isOpen);
  }, []);
  return [open, setAndStore];
}

function fitsNextToThread(): boolean {
  return window.matchMedia(FITS_NEXT_TO_THREAD).matches;
}
