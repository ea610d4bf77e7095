/**
 * The form for a provider's API key. The key stays in the uncontrolled input: it is read on submit and gone after
 * saving.
 */

import { Button, PasswordInput, TextInput } from "@mantine/core";
import { type SyntheticEvent, useRef, useState } from "react";
import { type KeyEntry, type KeyedProvider, useSaveKey, useTestModel } from "@/api/models";
import { fieldErrors, Problem } from "@/api/problems";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { problemMessage, toast } from "@/components/feedback/toast";
import { useFormFocus } from "@/components/hooks/use-form-focus";
import { texts } from "@/texts";
import { settings } from "@/texts/settings";
import shared from "../shared.module.css";
import classes from "./models.module.css";
import { TestResult } from "./test-result";

const words = settings.key;

interface Props {
  provider: KeyedProvider;
  onClose: () => void;
}

export function KeyForm({ provider, onClose }: Props) {
  const { backend, label: name } = provider;
  const form = useFormFocus();
  const [isFilled, setFilled] = useState(false);
  const { keyField, addressField, readEntry } = useFields();
  const test = useTestModel(backend, readEntry);
  const save = useSaveKey(backend, readEntry);
  const isBusy = test.isPending || save.isPending;
  const typed = () => {
    setFilled(readEntry().key !== "");
    test.reset();
    save.reset();
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!isFilled || isBusy) return;
    test.reset();
    const onSaved = () => {
      toast(words.saved(name), { tone: "ok" });
      onClose();
    };
    void save.mutateAsync().then(onSaved, () => undefined);
  };
  return (
    <form ref={form} className={`${shared.form ?? ""} ${classes.entry ?? ""}`} onSubmit={submit} noValidate>
      <PasswordInput
        ref={keyField}
        className={classes.field ?? ""}
        label={words.field(name)}
        description={words.fieldIs}
        error={fieldErrors(save.error)["key"]}
        autoComplete="off"
        spellCheck={false}
        visibilityToggleButtonProps={{ "aria-label": words.show, "tabIndex": 0 }}
        onChange={typed}
      />
      {provider.takes_address && (
        <TextInput
          ref={addressField}
          className={classes.field ?? ""}
          label={words.address}
          description={words.addressIs}
          error={fieldErrors(save.error)["base_url"]}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          defaultValue={provider.base_url}
          onChange={typed}
        />
      )}
      <TestResult outcome={test.data} error={test.error} isStored={false} />
      {save.error && <SaveError error={save.error} />}
      <div className={shared.actions}>
        <Button
          type="submit"
          variant="filled"
          loading={save.isPending}
          disabled={!isFilled || test.isPending}
        >
          {words.save}
        </Button>
        <Button
          loading={test.isPending}
          disabled={!isFilled || save.isPending}
          onClick={() => {
            save.reset();
            test.mutate();
          }}
        >
          {settings.found.test}
        </Button>
        <Button variant="subtle" onClick={onClose}>
          {texts.common.cancel}
        </Button>
      </div>
    </form>
  );
}

function useFields() {
  const keyField = useRef<HTMLInputElement>(null);
  const addressField = useRef<HTMLInputElement>(null);
  const readEntry = (): KeyEntry => ({
    key: keyField.current?.value.trim() ?? "",
    ...(addressField.current && { base_url: addressField.current.value.trim() }),
  });
  return { keyField, addressField, readEntry };
}

function SaveError({ error }: { error: Error }) {
  return (
    <InlineAlert
      tone="bad"
      role="alert"
      title={words.notSaved}
      code={error instanceof Problem ? error.code : ""}
    >
      <p>{problemMessage(error)}</p>
    </InlineAlert>
  );
}
