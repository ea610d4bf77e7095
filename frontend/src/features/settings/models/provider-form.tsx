/** The form for the workspace's provider and the model of each purpose. */

import { Button, NativeSelect, TextInput } from "@mantine/core";
import { type SyntheticEvent, useId, useState } from "react";
import { type Backend, type Models, type Purpose, useChangeModels } from "@/api/models";
import { fieldErrors, Problem } from "@/api/problems";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { toast, toastProblem } from "@/components/feedback/toast";
import { settings } from "@/texts/settings";
import shared from "../shared.module.css";
import classes from "./provider-form.module.css";
import { changesOf, type Draft, UNCHANGED, suggestedNames } from "./draft";

const words = settings.models;

export function ProviderForm({ models }: { models: Models }) {
  const { mutateAsync, isPending, error } = useChangeModels();
  const [draft, setDraft] = useState<Draft>(UNCHANGED);
  const body = changesOf(models, draft);
  const fieldProblems = fieldErrors(error);
  const isStale = error instanceof Problem && error.status === 412;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (body === null || isPending) return;
    const onSaved = () => {
      setDraft(UNCHANGED);
      toast(words.saved, { tone: "ok" });
    };
    void mutateAsync({ version: models.version, body }).then(onSaved, (problem: unknown) => {
      if (!isInline(problem)) toastProblem(problem);
    });
  };
  return (
    <form className={shared.form} onSubmit={submit} noValidate>
      <NativeSelect
        label={words.backend}
        description={words.backendIs}
        error={fieldProblems["backend"]}
        value={(draft.backend === undefined ? models.backend : draft.backend) ?? ""}
        data={optionsOf(models)}
        onChange={({ currentTarget }) =>
          setDraft({ ...draft, backend: (currentTarget.value || null) as Backend | null })
        }
      />
      <ModelNameFields {...{ models, draft, fieldProblems }} onChange={setDraft} />
      {isStale && (
        <InlineAlert tone="warn" role="alert">
          {words.conflict}
        </InlineAlert>
      )}
      <Button type="submit" variant="filled" loading={isPending} disabled={body === null}>
        {words.save}
      </Button>
    </form>
  );
}

interface NamesProps {
  models: Models;
  draft: Draft;
  fieldProblems: Record<string, string>;
  onChange: (draft: Draft) => void;
}

function ModelNameFields({ models, draft, fieldProblems, onChange }: NamesProps) {
  const list = useId();
  const fieldName = (purpose: Purpose) => draft.names[purpose] ?? models.by_purpose[purpose] ?? "";
  return (
    <div className={classes.names} role="group" aria-label={words.names}>
      <p className={shared.hint}>{words.namesAre}</p>
      <div className={shared.fields}>
        {models.chosen.map(({ purpose }) => (
          <TextInput
            key={purpose}
            label={words.modelFor(settings.purposes[purpose] ?? purpose)}
            placeholder={words.usual}
            list={list}
            autoComplete="off"
            spellCheck={false}
            value={fieldName(purpose)}
            error={fieldProblems[`by_purpose/${purpose}`]}
            onChange={({ currentTarget }) =>
              onChange({ ...draft, names: { ...draft.names, [purpose]: currentTarget.value } })
            }
          />
        ))}
      </div>
      <datalist id={list}>
        {suggestedNames(models, draft).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  );
}

function optionsOf({ providers }: Models) {
  const { states } = settings.found;
  const fieldName = providers.map(({ backend, label, state }) => ({
    value: backend,
    label: state === "ready" ? label : `${label} (${states[state]})`,
  }));
  return [{ value: "", label: words.automatic }, ...fieldName];
}

/** Whether the problem is shown in the form. */
function isInline(problem: unknown): boolean {
  const isStale = problem instanceof Problem && problem.status === 412;
  return isStale || Object.keys(fieldErrors(problem)).length > 0;
}
