/** What happened, what was kept, what goes on by itself: beside the thing that it is about. */

import clsx from "clsx";
import { CircleX, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import classes from "./inline-alert.module.css";

type NoteTone = "info" | "warn" | "bad" | "ok";

interface Props {
  tone: NoteTone;
  title?: string;
  icon?: LucideIcon;
  /** For support. */
  code?: string;
  /** Where it comes up by itself and must be told. */
  role?: "alert" | "status";
  actions?: ReactNode;
  children?: ReactNode;
}

const ICONS: Record<NoteTone, LucideIcon> = { info: Info, warn: TriangleAlert, bad: CircleX, ok: Info };

export function Note({ tone, title, icon, code, role, actions, children }: Props) {
  const Icon = icon ?? ICONS[tone];
  return (
    <div className={clsx(classes.note, classes[tone])} role={role}>
      <Icon className={classes.icon} size={16} strokeWidth={1.75} aria-hidden="true" />
      <div className={classes.text}>
        {title !== undefined && <p className={classes.title}>{title}</p>}
        {children}
        {code !== undefined && code !== "" && <code>{code}</code>}
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
    </div>
  );
}
