import { Tooltip } from "@mantine/core";
import clsx from "clsx";
import { FolderTree } from "lucide-react";
import { NavLink } from "react-router";
import { texts } from "@/texts";
import classes from "./nav-links.module.css";

interface Props {
  rail: boolean;
  onChoose: () => void;
}

/** Links to the other pages. */
export function NavLinks({ rail, onChoose }: Props) {
  return (
    <div className={clsx(classes.places, rail && classes.rail)}>
      <Tooltip label={texts.list.memory} position="right" disabled={!rail}>
        <NavLink to="/memory" aria-label={texts.list.memory} onClick={onChoose}>
          <FolderTree size={16} strokeWidth={1.75} aria-hidden="true" />
          {!rail && texts.list.memory}
        </NavLink>
      </Tooltip>
    </div>
  );
}
