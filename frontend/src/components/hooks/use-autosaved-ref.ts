/** A ref whose value is saved to the browser's storage at intervals and when the page is left. */

import { type RefObject, useEffect, useRef } from "react";
import { writeStored } from "@/lib/local-storage";

const SAVE_INTERVAL_MS = 300;

/** Values are stored under `name`; null means nothing is pending. */
export function useAutosavedRef<Typed>(name: string): RefObject<Typed | null> {
  const latestRef = useRef<Typed | null>(null);
  useEffect(() => {
    const save = () => {
      if (latestRef.current !== null) writeStored(name, latestRef.current);
      latestRef.current = null;
    };
    const timer = setInterval(save, SAVE_INTERVAL_MS);
    window.addEventListener("pagehide", save);
    return () => {
      clearInterval(timer);
      window.removeEventListener("pagehide", save);
      save();
    };
  }, [name]);
  return latestRef;
}
