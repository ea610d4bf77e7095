import { useRef } from "react";

/** A deed, unless the last one is still under way: who presses twice means it once. */
export function useOneAtATime(): (deed: () => Promise<unknown>) => void {
  const isBusy = useRef(false);
  return (deed) => {
    if (isBusy.current) return;
    isBusy.current = true;
    void deed().finally(() => {
      isBusy.current = false;
    });
  };
}
