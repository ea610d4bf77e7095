/** The estimator that counted the tokens. */

import type { Estimator } from "@/api/context";
import { packing } from "@/texts/drawer-pack";
import shared from "../shared.module.css";

export function CountedBy({ estimator }: { estimator: Estimator }) {
  const words = packing.estimator;
  return (
    <p className={shared.caption}>
      {words.by(estimator)} {!isStored(estimator) && words.stored}
    </p>
  );
}

/** Whether the tokens of single messages add up to their part, but for scripts other than Latin. */
function isStored({ name, factor }: Estimator): boolean {
  return name.startsWith("characters") && factor === 1;
}
