/** Create or edit a summary line. The input stays until it is saved or discarded. */

import { Button, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { type KeyboardEvent, type SyntheticEvent, useState } from "react";
import type { ReferenceType } from "@/api/summary";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { useFormFocus } from "@/components/hooks/use-form-focus";
import { texts } from "@/texts";
import { drawerLists } from "@/texts/drawer-lists";
import type { DraftEditor, DraftState } from "../drafts/use-draft";
import { type Draft, isComplete, trimmed } from "./draft";
import { type DrawerLine, plainText } from "./lines";
import classes from "./summary.module.css";
import { type CorrectionResult, useCorrection } from "./use-correction";

interface Props {
  editor: DraftEditor<DrawerLine, Draft>;
  state: DraftState<DrawerLine, Draft>;
  /** The current version of the line; `null` if it was removed. */
  current: DrawerLine | null;
}

const TEXT_LENGTH = 400;
const TERM_LENGTH = 80;
const VALUE_LENGTH = 500;

export function LineForm({ editor, state: { base, draft }, current }: Props) {
  const [failure, setFailure] = useState<CorrectionResult | null>(null);
  const { save, isPending } = useCorrection();
  const root = useFormFocus(editor.isNewlyOpened);
  const isRemoved = base !== null && current === null;
  const send = async () => {
    if (isPending || !isComplete(draft)) return;
    const end = editor.closeAfterSave();
    const outcome = await save(trimmed(draft), base);
    if (outcome.ok) {
      end();
      return;
    }
    setFailure(outcome);
    if (outcome.current) editor.rebase(outcome.current);
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) void send();
    if (event.key !== "Escape") return;
    event.stopPropagation();
    editor.discard();
  };
  const { form } = drawerLists.summary;
  return (
    // Esc cancels from any field.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form ref={root} className={classes.form} onSubmit={submit} onKeyDown={onKeyDown}>
      <Fields draft={draft} change={editor.change} />
      <FailureNote failure={failure} isRemoved={isRemoved} current={current} />
      <div className={classes.buttons}>
        <Button type="submit" size="xs" loading={isPending} disabled={!isComplete(draft)}>
          {form.save}
        </Button>
        <Button size="xs" variant="subtle" onClick={editor.discard}>
          {texts.common.cancel}
        </Button>
      </div>
    </form>
  );
}

function FailureNote({
  failure,
  isRemoved,
  current,
}: {
  failure: CorrectionResult | null;
  isRemoved: boolean;
  current: DrawerLine | null;
}) {
  const { summary } = drawerLists;
  if (isRemoved)
    return (
      <InlineAlert tone="info" role="status">
        {summary.gone}
      </InlineAlert>
    );
  if (failure === null || failure.ok || failure.message === "") return null;
  return (
    <InlineAlert tone={failure.stale ? "info" : "bad"} title={failure.message} role="alert">
      {failure.stale && current !== null && <p>{summary.nowReads(plainText(current))}</p>}
    </InlineAlert>
  );
}

function Fields({ draft, change }: { draft: Draft; change: (part: Partial<Draft>) => void }) {
  const { form } = drawerLists.summary;
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
