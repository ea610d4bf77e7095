import { texts } from "@/texts";
import classes from "./frame.module.css";
import type { SheetSize } from "./use-sheet";

/** The sheet's handle: drag it, or press it to change between half and full. */
export function Grabber({ size, onTurn }: { size: SheetSize; onTurn: () => void }) {
  return (
    <button
      type="button"
      className={classes.grabber}
      aria-label={size === "half" ? texts.drawer.grow : texts.drawer.shrink}
      onClick={onTurn}
    />
  );
}
