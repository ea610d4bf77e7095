/** What a search shows in place of results: a hint, or why it failed. */

import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { isProblem } from "@/api/problems";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { problemMessage } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { palette } from "@/texts/palette";
import classes from "./find.module.css";

interface HintProps {
  title: string;
  detail: string;
  children?: ReactNode;
}

export function Hint({ title, detail, children }: HintProps) {
  return (
    <div className={classes.said}>
      <div role="status">
        <strong>{title}</strong>
        <p>{detail}</p>
      </div>
      {children}
    </div>
  );
}

export function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isSlow = isProblem(error, "search_too_slow");
  return (
    <InlineAlert tone="warn" role="alert" actions={<Button onClick={onRetry}>{texts.common.retry}</Button>}>
      <p>{isSlow ? palette.slow : problemMessage(error)}</p>
    </InlineAlert>
  );
}
