/** In place of the composer where nothing can be written, and why. */

import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { type Conversation, useChangeConversation } from "@/api/conversations";
import { toastProblem } from "@/components/toast";
import { texts } from "@/texts";
import classes from "./closed.module.css";

export function Closed({ title, detail, children }: { title: string; detail: string; children?: ReactNode }) {
  return (
    <div className={classes.closed} data-composer>
      <p>
        <strong>{title}</strong> {detail}
      </p>
      {children}
    </div>
  );
}

export function Archived({ conversation }: { conversation: Conversation }) {
  const { mutate, isPending } = useChangeConversation();
  const { id, version } = conversation;
  const back = () => mutate({ id, version, body: { archived: false } }, { onError: toastProblem });
  return (
    <Closed title={texts.chat.archivedTitle} detail={texts.chat.archivedDetail}>
      <Button onClick={back} loading={isPending}>
        {texts.chat.unarchive}
      </Button>
    </Closed>
  );
}
