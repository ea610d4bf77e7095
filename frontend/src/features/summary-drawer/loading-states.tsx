/** Loading and error states of the drawer's parts. */

import { Ruler } from "lucide-react";
import { Problem } from "@/api/problems";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { TextButton } from "@/components/ui/text-button";
import { texts } from "@/texts";
import classes from "./loading-states.module.css";

/** Placeholders of the final size, delayed so that fast responses do not flicker. */
export function Skeletons({ lines, isBar = false }: { lines: number; isBar?: boolean }) {
  return (
    <div className={classes.skeletons} role="status" aria-label={texts.common.loading}>
      {isBar && <span className={classes.bar} />}
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={classes.line} style={{ width: `${90 - ((line * 23) % 45)}%` }} />
      ))}
    </div>
  );
}

/** A budget that is too small is not a failure: the server says how much is needed. */
export function PackError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof Problem && error.status === 422)
    return <InlineAlert tone="bad" icon={Ruler} title={error.message} code={error.code} role="status" />;
  return <LoadError onRetry={onRetry} />;
}

export function LoadError({ onRetry }: { onRetry: () => void }) {
  return (
    <p className={classes.trouble} role="alert">
      {texts.drawer.notLoaded} <TextButton onClick={onRetry}>{texts.drawer.retry}</TextButton>
    </p>
  );
}
