/** The form of both pages: fields with what the server says of them, and one button. */

import { Button, PasswordInput, TextInput } from "@mantine/core";
import { CircleX, Hourglass } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import { fieldErrors, isProblem, Problem, Unreachable } from "@/api/problems";
import { Note } from "@/components/feedback/inline-alert";
import { texts } from "@/texts";
import classes from "./auth-frame.module.css";

export interface Entered {
  name: string;
  email: string;
  password: string;
}

interface Props {
  isNew: boolean;
  label: string;
  busy: boolean;
  error: unknown;
  onSubmit: (entered: Entered) => void;
}

export function AuthForm({ isNew, label, busy, error, onSubmit }: Props) {
  const [missing, setMissing] = useState<Partial<Entered>>({});
  const refused = fieldErrors(error);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entered = enteredIn(event.currentTarget);
    const lacks = missingIn(entered);
    setMissing(lacks);
    if (Object.keys(lacks).length === 0) onSubmit(entered);
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <Refusal error={error} />
      {isNew && (
        <TextInput
          name="name"
          label={texts.auth.name}
          description={texts.auth.nameHint}
          autoComplete="name"
          maxLength={120}
          error={refused.name}
        />
      )}
      <TextInput
        name="email"
        type="email"
        label={texts.auth.email}
        autoComplete={isNew ? "email" : "username"}
        autoCapitalize="none"
        spellCheck={false}
        error={missing.email ?? refused.email}
      />
      <PasswordInput
        name="password"
        label={texts.auth.password}
        description={isNew ? texts.auth.passwordHint : undefined}
        autoComplete={isNew ? "new-password" : "current-password"}
        error={missing.password ?? refused.password}
        aria-invalid={(missing.password ?? refused.password) !== undefined}
        visibilityToggleButtonProps={{ "aria-label": texts.auth.showPassword, "tabIndex": 0 }}
      />
      <Button type="submit" variant="filled" loading={busy} size="md">
        {label}
      </Button>
    </form>
  );
}

/** What is not about a single field. */
function Refusal({ error }: { error: unknown }) {
  if (error === null || Object.keys(fieldErrors(error)).length > 0) return null;
  const waits = error instanceof Problem && error.status === 429;
  return (
    <Note tone={waits ? "warn" : "bad"} icon={waits ? Hourglass : CircleX} role="alert">
      {wordsOf(error)}
    </Note>
  );
}

function wordsOf(error: unknown): string {
  if (isProblem(error, "wrong_credentials")) return texts.auth.wrong;
  if (isProblem(error, "email_taken")) return texts.auth.taken;
  if (error instanceof Unreachable) return texts.auth.unreachable;
  if (!(error instanceof Problem)) return texts.common.notDone;
  return error.status === 429 ? texts.auth.wait(error.retryAfter) : error.message;
}

function enteredIn(form: HTMLFormElement): Entered {
  const data = new FormData(form);
  const text = (name: string) => {
    const value = data.get(name);
    return typeof value === "string" ? value : "";
  };
  return { name: text("name").trim(), email: text("email").trim(), password: text("password") };
}

function missingIn({ email, password }: Entered): Partial<Entered> {
  return {
    ...(email === "" ? { email: texts.auth.emailMissing } : {}),
    ...(password === "" ? { password: texts.auth.passwordMissing } : {}),
  };
}
