/** In place of the composer where nothing can be written, and why. */

import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { type Conversation, useChangeConversation } from "@/api/conversations";
import { toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import type { May } from "../permissions";
import { useWholeFork } from "../use-fork-conversation";
import classes from "./composer-disabled.module.css";

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

/** Who may only read here may still go on in a fork, if they write at all. */
export function ReadOnly({
  conversation,
  count,
  may,
}: {
  conversation: Conversation;
  count: number;
  may: May;
}) {
  const { chat } = texts;
  const [fork, isPending] = useWholeFork(conversation, count);
  return (
    <Closed title={chat.readOnlyTitle} detail={may.fork ? chat.sharedDetail : chat.readOnlyDetail}>
      {may.fork && count > 0 && (
        <Button onClick={fork} loading={isPending}>
          {chat.header.fork}
        </Button>
      )}
    </Closed>
  );
}

export function Archived({ conversation, may }: { conversation: Conversation; may: May }) {
  const { chat } = texts;
  const { mutateAsync, isPending } = useChangeConversation();
  const { id, version } = conversation;
  const back = () => void mutateAsync({ id, version, body: { archived: false } }).catch(toastProblem);
  return (
    <Closed title={chat.archivedTitle} detail={may.archive ? chat.archivedDetail : chat.archivedByOwner}>
      {may.archive && (
        <Button onClick={back} loading={isPending}>
          {chat.unarchive}
        </Button>
      )}
    </Closed>
  );
}
