/** What opens on demand. Its code is fetched soon after the page, so that it opens without a connection too. */

import { useEffect } from "react";
import { lazily } from "@/components/feedback/lazy-component";
import { texts } from "@/texts";

const { parts } = texts.common;

export const SummaryDrawer = lazily(parts.drawer, () => import("@/features/summary-drawer/summary-drawer"));
export const Palette = lazily(parts.palette, () => import("@/features/palette/palette"));
export const KeysHelp = lazily(parts.help, () => import("@/features/help/keys-help"));
export const Tour = lazily(parts.tour, () => import("@/features/tour/tour"));

/** By then the page itself is there. */
const AFTER_MS = 1000;

export function usePanelsAhead(withDrawer: boolean): void {
  useEffect(() => {
    const fetchThem = () => {
      if (withDrawer) {
        SummaryDrawer.fetchAhead();
        // The drawer's comparison needs it.
        import("@/components/ui/diff").catch(() => undefined);
      }
      Palette.fetchAhead();
      KeysHelp.fetchAhead();
    };
    const online = () => window.addEventListener("online", fetchThem, { once: true });
    const timer = setTimeout(() => (navigator.onLine ? fetchThem() : online()), AFTER_MS);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("online", fetchThem);
    };
  }, [withDrawer]);
}
