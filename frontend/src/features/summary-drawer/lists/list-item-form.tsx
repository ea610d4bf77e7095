/** The frame of the small forms in lists: save, cancel, Esc, and the word that somebody else was quicker. */

import { Button } from "@mantine/core";
import type { KeyboardEvent, ReactNode, SyntheticEvent } from "react";
import { Note } from "@/components/feedback/inline-alert";
import { useFormFocus } from "@/components/hooks/use-form-focus";
import { texts } from "@/texts";
import classes from "./lists.module.css";

interface Props {
  saveLabel: string;
  isReady: boolean;
  isPending: boolean;
  onSave: () => void;
  onEnd: () => void;
  /** Whether it shall take the focus. */
  isBegun: boolean;
  stale?: { title: string; now: string };
  children: ReactNode;
}

export function KeptForm({ saveLabel, isReady, isPending, onSave, onEnd, isBegun, stale, children }: Props) {
  const root = useFormFocus(isBegun);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isReady && !isPending) onSave();
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit(event);
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onEnd();
  };
  return (
    // Esc gives up, from whichever of its fields.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form ref={root} className={classes.form} onSubmit={submit} onKeyDown={keys}>
      {children}
      {stale && (
        <Note tone="info" title={stale.title} role="alert">
          {stale.now !== "" && <p>{stale.now}</p>}
        </Note>
      )}
      <div className={classes.buttons}>
        <Button type="submit" size="xs" loading={isPending} disabled={!isReady}>
          {saveLabel}
        </Button>
        <Button size="xs" variant="subtle" onClick={onEnd}>
          {texts.common.cancel}
        </Button>
      </div>
    </form>
  );
}
