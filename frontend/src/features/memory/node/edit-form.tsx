/** Writing a memory anew. What somebody else wrote meanwhile is shown beside it, and nothing typed is lost. */

import { Button, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { type MemoryNode, useEditMemory } from "@/api/memories";
import { fieldErrors, Problem } from "@/api/problems";
import { toast, toastProblem } from "@/components/feedback/toast";
import { memory } from "@/texts/memory";
import { FormActions, PlaceForm } from "../form";
import shared from "../shared.module.css";
import { useKeptDraft } from "../use-persisted-draft";
import { changesIn, type EditDraft, firstDraft, isOther } from "./edit-draft";
import { StaleNote } from "./stale-note";

const words = memory.edit;

interface Props {
  node: MemoryNode;
  onLeave: () => void;
  /** Open it once more. */
  onAgain: () => void;
}

export function draftName(id: string): string {
  return `edit/${id}`;
}

export function EditForm({ node, onLeave, onAgain }: Props) {
  const { draft, change, done, giveUp } = useKeptDraft<EditDraft>(draftName(node.id), firstDraft(node));
  const { mutateAsync, isPending, error } = useEditMemory(node.id);
  const isStale = isOther(draft.base, node);
  const changes = changesIn(draft, node);
  const leave = () => {
    giveUp(onAgain);
    onLeave();
  };
  const save = () => {
    if (changes === null || isPending) return;
    const saved = () => {
      done();
      toast(words.saved, { tone: "ok" });
      onLeave();
    };
    // What somebody else wrote comes with the fresh answer; until then nothing is written over it.
    const failed = (problem: unknown) => {
      if (!(problem instanceof Problem && problem.status === 412)) toastProblem(problem);
    };
    void mutateAsync({ version: node.version, changes }).then(saved, failed);
  };
  return (
    <PlaceForm title={words.title} onSend={save} onLeave={leave}>
      <Textarea
        label={words.content}
        description={words.contentIs}
        error={fieldErrors(error)["content"]}
        value={draft.content}
        rows={12}
        onChange={(event) => change({ content: event.currentTarget.value })}
      />
      <OwnTiers draft={draft} onChange={change} />
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
      {isStale && <StaleNote now={node.content ?? ""} mine={draft.content} />}
      <FormActions onLeave={leave}>
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
    </PlaceForm>
  );
}

interface TiersProps {
  draft: EditDraft;
  onChange: (part: Partial<EditDraft>) => void;
}

/** They are made of the text unless somebody wants to write them. */
function OwnTiers({ draft, onChange }: TiersProps) {
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
