/** Edit a memory. A concurrent change is shown next to the form, and no input is lost. */

import { Button, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { type MemoryNode, useEditMemory } from "@/api/memories";
import { fieldErrors, Problem } from "@/api/problems";
import { toast, toastProblem } from "@/components/feedback/toast";
import { memory } from "@/texts/memory";
import { FormActions, InlineForm } from "../form";
import shared from "../shared.module.css";
import { usePersistedDraft } from "../use-persisted-draft";
import { changesIn, type EditDraft, firstDraft, hasChanged } from "./edit-draft";
import { StaleNote } from "./stale-note";

const words = memory.edit;

interface Props {
  node: MemoryNode;
  onClose: () => void;
  /** Open the form again. */
  onReopen: () => void;
}

export function draftName(id: string): string {
  return `edit/${id}`;
}

export function EditForm({ node, onClose, onReopen }: Props) {
  const { draft, change, done, discard } = usePersistedDraft<EditDraft>(draftName(node.id), firstDraft(node));
  const { mutateAsync, isPending, error } = useEditMemory(node.id);
  const isStale = hasChanged(draft.base, node);
  const changes = changesIn(draft, node);
  const cancel = () => {
    discard(onReopen);
    onClose();
  };
  const save = () => {
    if (changes === null || isPending) return;
    const onSaved = () => {
      done();
      toast(words.saved, { tone: "ok" });
      onClose();
    };
    // After a conflict the refetched memory is the new base; until then saving is blocked.
    const onError = (problem: unknown) => {
      if (!(problem instanceof Problem && problem.status === 412)) toastProblem(problem);
    };
    void mutateAsync({ version: node.version, changes }).then(onSaved, onError);
  };
  return (
    <InlineForm title={words.title} onSubmit={save} onCancel={cancel}>
      <Textarea
        label={words.content}
        description={words.contentIs}
        error={fieldErrors(error)["content"]}
        value={draft.content}
        rows={12}
        onChange={(event) => change({ content: event.currentTarget.value })}
      />
      <TierFields draft={draft} onChange={change} />
      <div className={shared.pair}>
        <TextInput
          label={words.tags}
          description={words.tagsAre}
          error={fieldErrors(error)["tags"]}
          value={draft.tags}
          onChange={(event) => change({ tags: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label={words.occurred}
          description={words.occurredIs}
          value={draft.day}
          onChange={(event) => change({ day: event.currentTarget.value })}
        />
      </div>
      <TextInput
        label={words.reason}
        description={words.reasonIs}
        maxLength={500}
        value={draft.reason}
        onChange={(event) => change({ reason: event.currentTarget.value })}
      />
      {isStale && <StaleNote current={node.content ?? ""} mine={draft.content} />}
      <FormActions onCancel={cancel}>
        <Button
          type={isStale ? "button" : "submit"}
          variant="filled"
          loading={isPending}
          disabled={changes === null}
          {...(isStale && { onClick: save })}
        >
          {isStale ? words.saveOver : words.save}
        </Button>
      </FormActions>
    </InlineForm>
  );
}

interface TiersProps {
  draft: EditDraft;
  onChange: (part: Partial<EditDraft>) => void;
}

/** The tiers are generated from the text unless somebody writes them. */
function TierFields({ draft, onChange }: TiersProps) {
  const [isOpen, setOpen] = useState(
    draft.abstract !== draft.base.abstract || draft.overview !== draft.base.overview,
  );
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={shared.told}>{words.tiers}</summary>
      {isOpen && (
        <>
          <Textarea
            label={words.abstract}
            description={words.abstractIs}
            value={draft.abstract}
            rows={2}
            onChange={(event) => onChange({ abstract: event.currentTarget.value })}
          />
          <Textarea
            label={words.overview}
            value={draft.overview}
            rows={6}
            onChange={(event) => onChange({ overview: event.currentTarget.value })}
          />
        </>
      )}
    </details>
  );
}
