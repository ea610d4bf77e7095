import type { ReactNode } from "react";
import { NumberWithSource, type NumberSource } from "@/components/ui/number-with-source";
import classes from "./layer-items.module.css";

interface Props {
  text: string;
  meta?: ReactNode;
  tokens?: number | undefined;
  source?: NumberSource;
  actions?: ReactNode;
  children?: ReactNode;
}

/** One item of a part: excerpt, tokens and actions. */
export function Item({ text, meta, tokens, source = "counted", actions, children }: Props) {
  return (
    <li className={classes.item}>
      <span className={classes.text}>{text}</span>
      <span className={classes.tokens}>
        {tokens !== undefined && <NumberWithSource value={tokens} source={source} />}
      </span>
      {(meta !== undefined || actions !== undefined) && (
        <span className={classes.foot}>
          {meta !== undefined && <span>{meta}</span>}
          {actions}
        </span>
      )}
      {children !== undefined && children !== false && <div className={classes.confirm}>{children}</div>}
    </li>
  );
}
