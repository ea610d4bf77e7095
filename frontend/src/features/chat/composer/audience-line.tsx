/** Who reads a shared chat, above the composer; the owner decides whether private memories are used in it. */

import { Switch } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { useId } from "react";
import { audienceQuery } from "@/api/audience";
import { type Conversation, useChangeConversation } from "@/api/conversations";
import { toastProblem } from "@/components/feedback/toast";
import row from "@/components/ui/switch.module.css";
import { audience as texts } from "@/texts/audience";
import classes from "./audience-line.module.css";

interface Props {
  conversation: Conversation;
  isOwner: boolean;
}

export default function AudienceLine({ conversation, isOwner }: Props) {
  const { data } = useQuery(audienceQuery(conversation.id));
  if (data === undefined || data.readers.length === 0) return null;
  const names = data.readers.map(({ name }) => name);
  const replies = data.private_replies ?? 0;
  return (
    <section className={classes.line} aria-label={texts.readers(names, data.has_more)}>
      <Users size={16} strokeWidth={1.75} aria-hidden="true" />
      <p role="status">
        <strong title={names.join(", ")}>{texts.readers(names, data.has_more)}</strong>
        {" · "}
        {data.uses_private_memory ? texts.used : texts.notUsed}
      </p>
      {isOwner && <MemorySwitch conversation={conversation} isUsed={data.uses_private_memory} />}
      {replies > 0 && <p className={classes.warning}>{texts.privateReplies(replies)}</p>}
    </section>
  );
}

function MemorySwitch({ conversation, isUsed }: { conversation: Conversation; isUsed: boolean }) {
  const hint = useId();
  const client = useQueryClient();
  const { mutateAsync, isPending } = useChangeConversation();
  const { id, version } = conversation;
  const change = async () => {
    await mutateAsync({ id, version, body: { private_memory_when_shared: !isUsed } });
    await client.invalidateQueries(audienceQuery(id));
  };
  return (
    <>
      <Switch
        classNames={{ body: row.switch ?? "" }}
        label={texts.switch}
        aria-describedby={hint}
        checked={isUsed}
        disabled={isPending}
        onChange={() => void change().catch(toastProblem)}
      />
      <p id={hint} className={classes.hint} hidden={!isUsed}>
        {texts.switchIs}
      </p>
    </>
  );
}
