import { texts } from "@/texts";
import classes from "./frame.module.css";
import type { SheetSize } from "./use-sheet";

/** The sheet's handle: drag it or click it to toggle its height. */
export function SheetHandle({ size, onToggle }: { size: SheetSize; onToggle: () => void }) {
  return (
    <button
      type="button"
      className={classes.grabber}
      aria-label={size === "half" ? texts.drawer.grow : texts.drawer.shrink}
      onClick={onToggle}
    />
  );
}
