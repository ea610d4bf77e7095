/** What counted the tokens, in a sentence. */

import type { Estimator } from "@/api/context";
import { texts } from "@/texts";
import shared from "../shared.module.css";

export function CountedBy({ estimator }: { estimator: Estimator }) {
  const words = texts.drawer.estimator;
  return (
    <p className={shared.caption}>
      {words.by(estimator)} {!isStored(estimator) && words.stored}
    </p>
  );
}

/** Then what single messages take adds up to their part. */
function isStored({ name, factor }: Estimator): boolean {
  return name === "characters/4" && factor === 1;
}
