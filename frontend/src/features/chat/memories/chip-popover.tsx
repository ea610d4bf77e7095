/** A chip at a message that opens a list. */

import { Popover } from "@mantine/core";
import type { LucideIcon } from "lucide-react";
import { type ReactNode, type Ref, useId, useState } from "react";
import classes from "./memory-chip.module.css";

interface Props {
  icon: LucideIcon;
  label: string;
  title: string;
  /** Whether the message is the one that the Tab key reaches. */
  isCurrent: boolean;
  chipRef?: Ref<HTMLButtonElement>;
  /** Whether the title has the focus at first, because the list is still loading. */
  focusTitle?: boolean;
  children: ReactNode;
}

export function ChipPopover({ icon: Icon, label, title, isCurrent, chipRef, focusTitle, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      width={380}
      trapFocus
      returnFocus
      classNames={{ dropdown: classes.dropdown ?? "" }}
    >
      <Popover.Target>
        <button
          ref={chipRef}
          type="button"
          className={classes.chip}
          tabIndex={isCurrent ? 0 : -1}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
          {label}
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-labelledby={id}>
        <p id={id} className={classes.title} {...(focusTitle && { "tabIndex": -1, "data-autofocus": true })}>
          {title}
        </p>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}
