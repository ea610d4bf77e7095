/** Parts of the drawer that are not there yet, or could not be fetched. */

import { Ruler } from "lucide-react";
import { Problem } from "@/api/problems";
import { Note } from "@/components/feedback/inline-alert";
import { TextButton } from "@/components/ui/text-button";
import { texts } from "@/texts";
import classes from "./loading-states.module.css";

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

/** A budget that is too small is no failure: the server says how much is needed. */
export function NoPack({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof Problem && error.status === 422)
    return <Note tone="bad" icon={Ruler} title={error.message} code={error.code} role="status" />;
  return <NotLoaded onRetry={onRetry} />;
}

export function NotLoaded({ onRetry }: { onRetry: () => void }) {
  return (
    <p className={classes.trouble} role="alert">
      {texts.drawer.notLoaded} <TextButton onClick={onRetry}>{texts.drawer.retry}</TextButton>
    </p>
  );
}
