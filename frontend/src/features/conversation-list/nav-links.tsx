import { Tooltip } from "@mantine/core";
import clsx from "clsx";
import { FolderTree, type LucideIcon, Settings } from "lucide-react";
import { NavLink } from "react-router";
import { texts } from "@/texts";
import classes from "./nav-links.module.css";

interface Props {
  rail: boolean;
  onChoose: () => void;
}

const { list } = texts;
const PLACES: readonly { to: string; label: string; icon: LucideIcon }[] = [
  { to: "/memory", label: list.memory, icon: FolderTree },
  { to: "/settings", label: list.settings, icon: Settings },
];

/** Links to the other pages. */
export function NavLinks({ rail, onChoose }: Props) {
  return (
    <div className={clsx(classes.places, rail && classes.rail)}>
      {PLACES.map(({ to, label, icon: Icon }) => (
        <Tooltip key={to} label={label} position="right" disabled={!rail}>
          <NavLink to={to} aria-label={label} onClick={onChoose}>
            <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
            {!rail && label}
          </NavLink>
        </Tooltip>
      ))}
    </div>
  );
}
