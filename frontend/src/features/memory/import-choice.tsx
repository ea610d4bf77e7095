/** What follows a preview: whether what is imported is one's own decides whether it waits in the inbox. */

import { Button } from "@mantine/core";
import { useId } from "react";
import { importChoice as words } from "@/texts/import-choice";
import classes from "./import-choice.module.css";

interface Props {
  isPending?: boolean;
  onImport: (confirmed: boolean) => void;
}

export function ImportChoice({ isPending = false, onImport }: Props) {
  return (
    <div role="group" aria-label={words.whose} className={classes.choices}>
      {[true, false].map((confirmed) => (
        <Choice key={String(confirmed)} confirmed={confirmed} isPending={isPending} onImport={onImport} />
      ))}
    </div>
  );
}

function Choice({ confirmed, isPending, onImport }: Required<Props> & { confirmed: boolean }) {
  const id = useId();
  const { deed, means } = confirmed ? words.mine : words.inbox;
  return (
    <div className={classes.choice}>
      <Button
        variant={confirmed ? "filled" : "default"}
        aria-describedby={id}
        disabled={isPending}
        onClick={() => onImport(confirmed)}
      >
        {deed}
      </Button>
      <p id={id} className={classes.means}>
        {means}
      </p>
    </div>
  );
}
