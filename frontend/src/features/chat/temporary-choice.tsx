/** Before the first message: whether the chat is temporary, which cannot be changed later. */

import { Switch } from "@mantine/core";
import { useId } from "react";
import { remembering } from "@/texts/remembering";
import row from "@/components/ui/switch.module.css";
import classes from "./temporary-choice.module.css";

interface Props {
  isTemporary: boolean;
  onChange: (isTemporary: boolean) => void;
}

export default function TemporaryChoice({ isTemporary, onChange }: Props) {
  const hint = useId();
  return (
    <div className={classes.choice}>
      <Switch
        classNames={{ body: row.switch ?? "" }}
        label={remembering.temporary}
        aria-describedby={hint}
        checked={isTemporary}
        onChange={() => onChange(!isTemporary)}
      />
      <p id={hint}>{remembering.temporaryIs}</p>
    </div>
  );
}
