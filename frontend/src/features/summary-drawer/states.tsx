/** Parts of the drawer that are not there yet, or could not be fetched. */

import { TextButton } from "@/components/text-button";
import { texts } from "@/texts";
import classes from "./states.module.css";

/** Of the final size; after a moment, so that what comes at once does not flicker. */
export function Skeletons({ lines, bar = false }: { lines: number; bar?: boolean }) {
  return (
    <div className={classes.skeletons} role="status" aria-label={texts.common.loading}>
      {bar && <span className={classes.bar} />}
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={classes.line} style={{ width: `${90 - ((line * 23) % 45)}%` }} />
      ))}
    </div>
  );
}

export function NotLoaded({ onRetry }: { onRetry: () => void }) {
  return (
    <p className={classes.trouble} role="alert">
      {texts.drawer.notLoaded} <TextButton onClick={onRetry}>{texts.drawer.retry}</TextButton>
    </p>
  );
}
