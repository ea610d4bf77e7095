/** The frame of inline forms in lists: save, cancel, Esc, and a notice about a concurrent change. */

import { Button } from "@mantine/core";
import type { KeyboardEvent, ReactNode, SyntheticEvent } from "react";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { useFormFocus } from "@/components/hooks/use-form-focus";
import { texts } from "@/texts";
import classes from "./lists.module.css";

interface Props {
  saveLabel: string;
  isReady: boolean;
  isPending: boolean;
  onSave: () => void;
  onCancel: () => void;
  /** Whether the form takes the focus. */
  shouldTakeFocus: boolean;
  stale?: { title: string; current: string };
  children: ReactNode;
}

export function ListItemForm({
  saveLabel,
  isReady,
  isPending,
  onSave,
  onCancel,
  shouldTakeFocus,
  stale,
  children,
}: Props) {
  const root = useFormFocus(shouldTakeFocus);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isReady && !isPending) onSave();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit(event);
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onCancel();
  };
  return (
    // Esc cancels from any field.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form ref={root} className={classes.form} onSubmit={submit} onKeyDown={onKeyDown}>
      {children}
      {stale && (
        <InlineAlert tone="info" title={stale.title} role="alert">
          {stale.current !== "" && <p>{stale.current}</p>}
        </InlineAlert>
      )}
      <div className={classes.buttons}>
        <Button type="submit" size="xs" loading={isPending} disabled={!isReady}>
          {saveLabel}
        </Button>
        <Button size="xs" variant="subtle" onClick={onCancel}>
          {texts.common.cancel}
        </Button>
      </div>
    </form>
  );
}
