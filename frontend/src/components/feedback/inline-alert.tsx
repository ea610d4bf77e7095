/** An alert next to the thing that it is about. */

import clsx from "clsx";
import { Check, CircleX, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import classes from "./inline-alert.module.css";

type AlertTone = "info" | "warn" | "bad" | "ok";

interface Props {
  tone: AlertTone;
  title?: string;
  icon?: LucideIcon;
  /** For support. */
  code?: string;
  /** Set it for alerts that appear without a user action and must be announced. */
  role?: "alert" | "status";
  actions?: ReactNode;
  children?: ReactNode;
}

const ICONS: Record<AlertTone, LucideIcon> = { info: Info, warn: TriangleAlert, bad: CircleX, ok: Check };

export function InlineAlert({ tone, title, icon, code, role, actions, children }: Props) {
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
