/** The actions on a line: icon buttons for mouse and keyboard, a menu on touch devices. */

import { ActionIcon, Menu } from "@mantine/core";
import { EllipsisVertical, type LucideIcon } from "lucide-react";
import { useMedia } from "@/lib/media";
import classes from "./line-actions.module.css";

export interface LineAction {
  icon: LucideIcon;
  /** The accessible name: the action and its object. */
  label: string;
  name: string;
  run: () => void;
}

export function LineActions({ label, actions }: { label: string; actions: LineAction[] }) {
  const isTouch = useMedia("(pointer: coarse)");
  if (isTouch) return <ActionMenu label={label} actions={actions} />;
  return (
    <span className={classes.place}>
      <span className={classes.actions}>
        {actions.map(({ icon: Icon, label: title, name, run }) => (
          <ActionIcon key={title} size={24} aria-label={name} title={title} onClick={run}>
            <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
          </ActionIcon>
        ))}
      </span>
    </span>
  );
}

function ActionMenu({ label, actions }: { label: string; actions: LineAction[] }) {
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false} withinPortal={false}>
      <Menu.Target>
        <ActionIcon size={44} aria-label={label} className={classes.touch ?? ""}>
          <EllipsisVertical size={16} strokeWidth={1.75} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ icon: Icon, label: title, run }) => (
          <Menu.Item
            key={title}
            leftSection={<Icon size={16} strokeWidth={1.75} aria-hidden="true" />}
            onClick={run}
          >
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
