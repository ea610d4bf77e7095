/** A part that folds away: chevron, name, count, at most one action. */

import { ChevronDown, ChevronRight, type LucideIcon } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { keep, kept } from "@/lib/local-storage";
import classes from "./section.module.css";

interface Props {
  /** Under which this browser keeps whether it is open. */
  name: string;
  title: string;
  count: string;
  icon?: LucideIcon;
  openAtFirst?: boolean;
  /** Something in it must be seen now, whatever was chosen. */
  forceOpen?: boolean;
  action?: ReactNode;
  children: ReactNode;
}

export function Section({
  name,
  title,
  count,
  icon: Icon,
  openAtFirst = true,
  forceOpen = false,
  action,
  children,
}: Props) {
  const place = `section:${name}`;
  const [chosen, setChosen] = useState<boolean | null>(() => kept<boolean | null>(place, null));
  const open = forceOpen || (chosen ?? openAtFirst);
  const body = useId();
  const Chevron = open ? ChevronDown : ChevronRight;
  const turn = () => {
    setChosen(!open);
    keep(place, !open);
  };
  return (
    <section className={classes.section}>
      <div className={classes.head}>
        <h3>
          <button type="button" aria-expanded={open} aria-controls={body} onClick={turn}>
            <Chevron size={16} strokeWidth={1.75} aria-hidden="true" />
            {Icon && <Icon size={16} strokeWidth={1.75} aria-hidden="true" />}
            {title} <span className={classes.count}>{count}</span>
          </button>
        </h3>
        {action}
      </div>
      <div id={body} hidden={!open} className={classes.body}>
        {open && children}
      </div>
    </section>
  );
}
