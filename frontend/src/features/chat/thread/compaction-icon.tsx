/** The signature of compaction: four lines drawing together into one bold line. */

import clsx from "clsx";
import classes from "./compaction-icon.module.css";

export function FourLines({ running = false }: { running?: boolean }) {
  return (
    <span className={clsx(classes.lines, running && classes.running)} aria-hidden="true">
      <i />
      <i />
      <i />
      <i />
    </span>
  );
}
