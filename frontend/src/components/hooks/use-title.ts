import { useEffect } from "react";
import { texts } from "@/texts";

/** The name of the tab. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · ${texts.common.product}` : texts.common.product;
  }, [title]);
}
