/** A collapsible section: chevron, title, count and at most one action. */

import { ChevronDown, ChevronRight, type LucideIcon } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { writeStored, readStored } from "@/lib/local-storage";
import classes from "./section.module.css";

interface Props {
  /** The browser stores under this name whether the section is open. */
  name: string;
  title: string;
  count: string;
  icon?: LucideIcon;
  openAtFirst?: boolean;
  /** Show the content whatever the user chose before. */
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
  const storageKey = `section:${name}`;
  const [storedOpen, setStoredOpen] = useState<boolean | null>(() =>
    readStored<boolean | null>(storageKey, null),
  );
  const open = forceOpen || (storedOpen ?? openAtFirst);
  const body = useId();
  const Chevron = open ? ChevronDown : ChevronRight;
  const toggle = () => {
    setStoredOpen(!open);
    writeStored(storageKey, !open);
  };
  return (
    <section className={classes.section}>
      <div className={classes.head}>
        <h3>
          <button type="button" aria-expanded={open} aria-controls={body} onClick={toggle}>
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
