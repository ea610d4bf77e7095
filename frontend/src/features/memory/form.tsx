/** A form in the place where it was begun: it takes the focus, Esc leaves it, Ctrl+Enter sends it. */

import { Button } from "@mantine/core";
import type { KeyboardEvent, ReactNode, SyntheticEvent } from "react";
import { useFormFocus } from "@/components/hooks/use-form-focus";
import { texts } from "@/texts";
import shared from "./shared.module.css";

interface Props {
  title: string;
  onSend: () => void;
  onLeave: () => void;
  children: ReactNode;
}

export function PlaceForm({ title, onSend, onLeave, children }: Props) {
  const root = useFormFocus();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onSend();
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit(event);
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onLeave();
  };
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc gives up, from whichever of its fields.
    <form ref={root} className={shared.form} aria-label={title} onSubmit={submit} onKeyDown={keys} noValidate>
      <h2>{title}</h2>
      {children}
    </form>
  );
}

/** The deed, and the way to leave it be. */
export function FormActions({ onLeave, children }: Pick<Props, "onLeave" | "children">) {
  return (
    <div className={shared.actions}>
      {children}
      <Button variant="subtle" onClick={onLeave}>
        {texts.common.cancel}
      </Button>
    </div>
  );
}
