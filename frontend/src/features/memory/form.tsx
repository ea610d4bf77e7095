/** An inline form: it takes the focus, Esc cancels it, Ctrl+Enter submits it. */

import { Button } from "@mantine/core";
import type { KeyboardEvent, ReactNode, SyntheticEvent } from "react";
import { useFormFocus } from "@/components/hooks/use-form-focus";
import { texts } from "@/texts";
import shared from "./shared.module.css";

interface Props {
  title: string;
  onSubmit: () => void;
  onCancel: () => void;
  children: ReactNode;
}

export function InlineForm({ title, onSubmit, onCancel, children }: Props) {
  const root = useFormFocus();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onSubmit();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit(event);
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onCancel();
  };
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc cancels from any field.
    <form
      ref={root}
      className={shared.form}
      aria-label={title}
      onSubmit={submit}
      onKeyDown={onKeyDown}
      noValidate
    >
      <h2>{title}</h2>
      {children}
    </form>
  );
}

/** Submit and cancel buttons. */
export function FormActions({ onCancel, children }: Pick<Props, "onCancel" | "children">) {
  return (
    <div className={shared.actions}>
      {children}
      <Button variant="subtle" onClick={onCancel}>
        {texts.common.cancel}
      </Button>
    </div>
  );
}
