/** Notices in place of the composer when the user cannot write here. */

import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { type Conversation, useChangeConversation } from "@/api/conversations";
import { toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import type { Permissions } from "../permissions";
import { useForkConversation } from "../use-fork-conversation";
import classes from "./composer-disabled.module.css";

export function ComposerNotice({
  title,
  detail,
  children,
}: {
  title: string;
  detail: string;
  children?: ReactNode;
}) {
  return (
    <div className={classes.closed} data-composer>
      <p>
        <strong>{title}</strong> {detail}
      </p>
      {children}
    </div>
  );
}

/** Readers can continue in a fork if their role allows writing. */
export function ReadOnly({
  conversation,
  count,
  may,
}: {
  conversation: Conversation;
  count: number;
  may: Permissions;
}) {
  const { chat } = texts;
  const [fork, isPending] = useForkConversation(conversation, count);
  return (
    <ComposerNotice title={chat.readOnlyTitle} detail={may.fork ? chat.sharedDetail : chat.readOnlyDetail}>
      {may.fork && count > 0 && (
        <Button onClick={fork} loading={isPending}>
          {chat.header.fork}
        </Button>
      )}
    </ComposerNotice>
  );
}

export function Archived({ conversation, may }: { conversation: Conversation; may: Permissions }) {
  const { chat } = texts;
  const { mutateAsync, isPending } = useChangeConversation();
  const { id, version } = conversation;
  const back = () => void mutateAsync({ id, version, body: { archived: false } }).catch(toastProblem);
  return (
    <ComposerNotice
      title={chat.archivedTitle}
      detail={may.archive ? chat.archivedDetail : chat.archivedByOwner}
    >
      {may.archive && (
        <Button onClick={back} loading={isPending}>
          {chat.unarchive}
        </Button>
      )}
    </ComposerNotice>
  );
}
