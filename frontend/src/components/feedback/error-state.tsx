/** The error state of a whole view, with at most one action. */

import { Button } from "@mantine/core";
import classes from "./error-state.module.css";

interface Props {
  title: string;
  detail: string;
  code?: string;
  action?: { label: string; run: () => void };
}

export function ErrorState({ title, detail, code, action }: Props) {
  return (
    <section className={classes.trouble} role="alert">
      <h1>{title}</h1>
      <p>{detail}</p>
      {action && (
        <Button variant="filled" onClick={action.run}>
          {action.label}
        </Button>
      )}
      {code !== undefined && <code>{code}</code>}
    </section>
  );
}
