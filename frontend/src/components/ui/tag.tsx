/** A small framed label for a version or a state. */

import clsx from "clsx";
import type { ReactNode } from "react";
import classes from "./tag.module.css";

export type TagTone = "plain" | "ok" | "warn" | "bad" | "info" | "live";

export function Tag({ tone = "plain", children }: { tone?: TagTone; children: ReactNode }) {
  return <span className={clsx(classes.tag, classes[tone])}>{children}</span>;
}
