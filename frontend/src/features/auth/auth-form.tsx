/** The form of the sign-in and sign-up pages, with field errors and one button. */

import { Button, PasswordInput, TextInput } from "@mantine/core";
import { CircleX, Hourglass } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import { fieldErrors, isProblem, Problem, Unreachable } from "@/api/problems";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { texts } from "@/texts";
import { auth } from "@/texts/auth";
import classes from "./auth-frame.module.css";

export interface Credentials {
  name: string;
  email: string;
  password: string;
}

interface Props {
  isNew: boolean;
  label: string;
  busy: boolean;
  error: unknown;
  onSubmit: (credentials: Credentials) => void;
}

export function AuthForm({ isNew, label, busy, error, onSubmit }: Props) {
  const [missing, setMissing] = useState<Partial<Credentials>>({});
  const errors = fieldErrors(error);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const credentials = readForm(event.currentTarget);
    const missingFields = findMissing(credentials);
    setMissing(missingFields);
    if (Object.keys(missingFields).length === 0) onSubmit(credentials);
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <FormError error={error} />
      {isNew && (
        <TextInput
          name="name"
          label={auth.name}
          description={auth.nameHint}
          autoComplete="name"
          maxLength={120}
          error={errors.name}
        />
      )}
      <TextInput
        name="email"
        type="email"
        label={auth.email}
        autoComplete={isNew ? "email" : "username"}
        autoCapitalize="none"
        spellCheck={false}
        error={missing.email ?? errors.email}
      />
      <PasswordInput
        name="password"
        label={auth.password}
        description={isNew ? auth.passwordHint : undefined}
        autoComplete={isNew ? "new-password" : "current-password"}
        error={missing.password ?? errors.password}
        aria-invalid={(missing.password ?? errors.password) !== undefined}
        visibilityToggleButtonProps={{ "aria-label": auth.showPassword, "tabIndex": 0 }}
      />
      <Button type="submit" variant="filled" loading={busy} size="md">
        {label}
      </Button>
    </form>
  );
}

/** An error that is not about a single field. */
function FormError({ error }: { error: unknown }) {
  if (error === null || Object.keys(fieldErrors(error)).length > 0) return null;
  const isRateLimited = error instanceof Problem && error.status === 429;
  return (
    <InlineAlert
      tone={isRateLimited ? "warn" : "bad"}
      icon={isRateLimited ? Hourglass : CircleX}
      role="alert"
    >
      {messageOf(error)}
    </InlineAlert>
  );
}

function messageOf(error: unknown): string {
  if (isProblem(error, "wrong_credentials")) return auth.wrong;
  if (isProblem(error, "email_taken")) return auth.taken;
  if (error instanceof Unreachable) return auth.unreachable;
  if (!(error instanceof Problem)) return texts.common.notDone;
  return error.status === 429 ? auth.wait(error.retryAfter) : error.message;
}

function readForm(form: HTMLFormElement): Credentials {
  const data = new FormData(form);
  const text = (name: string) => {
    const value = data.get(name);
    return typeof value === "string" ? value : "";
  };
  return { name: text("name").trim(), email: text("email").trim(), password: text("password") };
}

function findMissing({ email, password }: Credentials): Partial<Credentials> {
  return {
    ...(email === "" ? { email: auth.emailMissing } : {}),
    ...(password === "" ? { password: auth.passwordMissing } : {}),
  };
}
