/** Open the conversation list where the window is too narrow to show it. */

import { ActionIcon } from "@mantine/core";
import { Menu as MenuIcon } from "lucide-react";
import { texts } from "@/texts";
import classes from "./list-button.module.css";
import { useShell } from "../hooks/shell-context";

export function ListButton() {
  const { openList } = useShell();
  return (
    <ActionIcon className={classes.list ?? ""} aria-label={texts.chat.header.openList} onClick={openList}>
      <MenuIcon size={20} strokeWidth={1.75} aria-hidden="true" />
    </ActionIcon>
  );
}
