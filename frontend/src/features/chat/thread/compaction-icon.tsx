/** The icon of compaction: four lines that merge into one. */

import clsx from "clsx";
import classes from "./compaction-icon.module.css";

export function CompactionIcon({ running = false }: { running?: boolean }) {
  return (
    <span className={clsx(classes.lines, running && classes.running)} aria-hidden="true">
      <i />
      <i />
      <i />
      <i />
    </span>
  );
}
