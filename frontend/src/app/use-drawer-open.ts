import { useCallback, useState } from "react";
import { keep, kept } from "@/lib/storage";

const NAME = "drawer-open";

export function useDrawerOpen(): [boolean, (open: boolean) => void] {
  const [open, setOpen] = useState(() => kept(NAME, false));
  const become = useCallback((wanted: boolean) => {
    setOpen(wanted);
    keep(NAME, wanted);
  }, []);
  return [open, become];
}
