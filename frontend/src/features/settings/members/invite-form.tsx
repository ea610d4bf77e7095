/** The form that creates an invitation, and the link, which is shown once. */

import { Button, NativeSelect, TextInput } from "@mantine/core";
import { type SubmitEvent, useState } from "react";
import { type NewInvitation, type Role, useInvite } from "@/api/members";
import { fieldErrors } from "@/api/problems";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { problemMessage } from "@/components/feedback/toast";
import { useShell } from "@/components/hooks/shell-context";
import { members } from "@/texts/members";
import shared from "../shared.module.css";
import { InvitationLink } from "./invitation-link";
import { roleOptions } from "./roles";

const words = members.invite;

export function InviteForm() {
  const [made, setMade] = useState<NewInvitation | null>(null);
  return (
    <section className={shared.block}>
      <h2>{words.title}</h2>
      <p className={shared.told}>{words.hint}</p>
      {made === null ? (
        <Fields onMade={setMade} />
      ) : (
        <InvitationLink invitation={made} onClose={() => setMade(null)} />
      )}
    </section>
  );
}

function Fields({ onMade }: { onMade: (invitation: NewInvitation) => void }) {
  const { me } = useShell();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const [isMissing, setMissing] = useState(false);
  const { mutateAsync, isPending, error } = useInvite();
  const emailError = isMissing ? words.emailMissing : fieldErrors(error)["email"];
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setMissing(email.trim() === "");
    if (email.trim() === "" || isPending) return;
    void mutateAsync({ email: email.trim(), role }).then(onMade, () => undefined);
  };
  return (
    <form className={shared.form} onSubmit={submit} noValidate>
      <div className={shared.fields}>
        <TextInput
          type="email"
          label={words.email}
          description={words.emailHint}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={email}
          error={emailError}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <NativeSelect
          label={words.role}
          description={members.roleHints[role]}
          data={roleOptions(me)}
          value={role}
          onChange={({ currentTarget }) => setRole(currentTarget.value as Role)}
        />
      </div>
      {error && fieldErrors(error)["email"] === undefined && (
        <InlineAlert tone="bad" role="alert" title={words.failed}>
          <p>{problemMessage(error)}</p>
        </InlineAlert>
      )}
      <Button type="submit" variant="filled" loading={isPending}>
        {words.create}
      </Button>
    </form>
  );
}
