/** What was typed last, which the browser keeps every little while and when the page is left. */

import { type RefObject, useEffect, useRef } from "react";
import { keep } from "@/lib/local-storage";

const KEPT_AFTER_MS = 300;

/** Whatever is put into it is kept under the name; null, where nothing is waiting to be kept. */
export function useLatestKept<Typed>(name: string): RefObject<Typed | null> {
  const latestRef = useRef<Typed | null>(null);
  useEffect(() => {
    const save = () => {
      if (latestRef.current !== null) keep(name, latestRef.current);
      latestRef.current = null;
    };
    const timer = setInterval(save, KEPT_AFTER_MS);
    window.addEventListener("pagehide", save);
    return () => {
      clearInterval(timer);
      window.removeEventListener("pagehide", save);
      save();
    };
  }, [name]);
  return latestRef;
}
