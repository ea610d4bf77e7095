/** One line of the summary written by hand, new or anew. What was typed stays until it is saved or given up. */

import { Button, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { type KeyboardEvent, type SyntheticEvent, useState } from "react";
import type { ReferenceType } from "@/api/summary";
import { Note } from "@/components/feedback/inline-alert";
import { useFormFocus } from "@/components/hooks/use-form-focus";
import { texts } from "@/texts";
import type { Writer, Writing } from "../drafts/use-draft";
import { type Draft, isWhole, trimmed } from "./draft";
import { type DrawerLine, plainText } from "./lines";
import classes from "./summary.module.css";
import { type Outcome, useCorrection } from "./use-correction";

interface Props {
  writer: Writer<DrawerLine, Draft>;
  writing: Writing<DrawerLine, Draft>;
  /** How the line stands now; `null` when it is gone. */
  present: DrawerLine | null;
}

const TEXT_LENGTH = 400;
const TERM_LENGTH = 80;
const VALUE_LENGTH = 500;

export function LineForm({ writer, writing: { old, draft }, present }: Props) {
  const [refused, setRefused] = useState<Outcome | null>(null);
  const { save, isPending } = useCorrection();
  const root = useFormFocus(writer.isBegun);
  const isGone = old !== null && present === null;
  const send = async () => {
    if (isPending || !isWhole(draft)) return;
    const end = writer.ending();
    const outcome = await save(trimmed(draft), old);
    if (outcome.ok) {
      end();
      return;
    }
    setRefused(outcome);
    if (outcome.present) writer.lookAt(outcome.present);
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void send();
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) void send();
    if (event.key !== "Escape") return;
    event.stopPropagation();
    writer.giveUp();
  };
  const { form } = texts.drawer.summary;
  return (
    // Esc gives up, from whichever of its fields.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form ref={root} className={classes.form} onSubmit={submit} onKeyDown={keys}>
      <Fields draft={draft} change={writer.change} />
      <Refusal refused={refused} isGone={isGone} present={present} />
      <div className={classes.buttons}>
        <Button type="submit" size="xs" loading={isPending} disabled={!isWhole(draft)}>
          {form.save}
        </Button>
        <Button size="xs" variant="subtle" onClick={writer.giveUp}>
          {texts.common.cancel}
        </Button>
      </div>
    </form>
  );
}

function Refusal({
  refused,
  isGone,
  present,
}: {
  refused: Outcome | null;
  isGone: boolean;
  present: DrawerLine | null;
}) {
  const { summary } = texts.drawer;
  if (isGone)
    return (
      <Note tone="info" role="status">
        {summary.gone}
      </Note>
    );
  if (refused === null || refused.ok || refused.message === "") return null;
  return (
    <Note tone={refused.stale ? "info" : "bad"} title={refused.message} role="alert">
      {refused.stale && present !== null && <p>{summary.nowReads(plainText(present))}</p>}
    </Note>
  );
}

function Fields({ draft, change }: { draft: Draft; change: (part: Partial<Draft>) => void }) {
  const { form } = texts.drawer.summary;
  const { field, text, term, reason, note, type } = draft;
  const isReference = field === "references";
  return (
    <>
      {field === "definitions" && (
        <TextInput
          label={form.term}
          value={term}
          maxLength={TERM_LENGTH}
          onChange={(event) => change({ term: event.currentTarget.value })}
        />
      )}
      {isReference && (
        <NativeSelect
          label={form.type}
          value={type}
          data={Object.entries(form.types).map(([value, label]) => ({ value, label }))}
          onChange={(event) => change({ type: event.currentTarget.value as ReferenceType })}
        />
      )}
      <Textarea
        label={isReference ? form.value : form.text}
        value={text}
        rows={3}
        maxLength={isReference ? VALUE_LENGTH : TEXT_LENGTH}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
      {field === "decisions" && (
        <TextInput
          label={form.reason}
          value={reason}
          maxLength={TEXT_LENGTH}
          onChange={(event) => change({ reason: event.currentTarget.value })}
        />
      )}
      {isReference && (
        <TextInput
          label={form.note}
          value={note}
          maxLength={TEXT_LENGTH}
          onChange={(event) => change({ note: event.currentTarget.value })}
        />
      )}
    </>
  );
}
