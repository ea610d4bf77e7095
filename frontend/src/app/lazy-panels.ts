/** Panels that open on demand. Their code is prefetched soon after the page, so that they also open offline. */

import { useEffect } from "react";
import { lazyPanel } from "@/components/feedback/lazy-component";
import { texts } from "@/texts";

const { parts } = texts.common;

export const SummaryDrawer = lazyPanel(
  parts.drawer,
  () => import("@/features/summary-drawer/summary-drawer"),
);
export const Palette = lazyPanel(parts.palette, () => import("@/features/palette/palette"));
export const KeysHelp = lazyPanel(parts.help, () => import("@/features/help/keys-help"));
export const Tour = lazyPanel(parts.tour, () => import("@/features/tour/tour"));

/** The page itself has loaded by then. */
const AFTER_MS = 1000;

export function usePrefetchPanels(withDrawer: boolean): void {
  useEffect(() => {
    const prefetch = () => {
      if (withDrawer) {
        SummaryDrawer.prefetch();
        // The drawer's comparison needs it.
        import("@/components/ui/diff").catch(() => undefined);
      }
      Palette.prefetch();
      KeysHelp.prefetch();
    };
    const prefetchOnceOnline = () => window.addEventListener("online", prefetch, { once: true });
    const timer = setTimeout(() => (navigator.onLine ? prefetch() : prefetchOnceOnline()), AFTER_MS);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("online", prefetch);
    };
  }, [withDrawer]);
}
