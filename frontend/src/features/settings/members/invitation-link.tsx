/** The link of a new invitation. It takes the focus, because it is shown only once. */

import { Button, TextInput } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { NewInvitation } from "@/api/members";
import { toast } from "@/components/feedback/toast";
import { copyText } from "@/lib/clipboard";
import { members } from "@/texts/members";
import shared from "../shared.module.css";

const words = members.invite;

interface Props {
  invitation: NewInvitation;
  onClose: () => void;
}

export function InvitationLink({ invitation: { email, secret }, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const link = `${location.origin}/join/${secret}`;
  useEffect(() => field.current?.focus(), []);
  const copy = () =>
    void copyText(link).then((isCopied) =>
      isCopied ? toast(words.copied, { tone: "ok" }) : toast(words.notCopied, { tone: "bad" }),
    );
  return (
    <div className={shared.form}>
      <TextInput
        ref={field}
        w="100%"
        label={words.linkTitle(email)}
        description={words.linkHint}
        value={link}
        readOnly
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <div className={shared.actions}>
        <Button variant="filled" onClick={copy}>
          {words.copy}
        </Button>
        <Button onClick={onClose}>{words.done}</Button>
      </div>
    </div>
  );
}
