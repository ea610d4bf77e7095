import { useRef } from "react";

/** Run an action unless the previous one is still in flight, so that a double click runs it once. */
export function useSingleFlight(): (action: () => Promise<unknown>) => void {
  const isInFlight = useRef(false);
  return (action) => {
    if (isInFlight.current) return;
    isInFlight.current = true;
    void action().finally(() => {
      isInFlight.current = false;
    });
  };
}
