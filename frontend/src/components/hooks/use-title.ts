import { useEffect } from "react";
import { texts } from "@/texts";

/** Set the document title. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · ${texts.common.product}` : texts.common.product;
  }, [title]);
}
