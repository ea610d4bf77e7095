/** A memory of one's own, new or changed. */

import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { Problem } from "@/api/problems";
import {
  useChangeUserMemory,
  useCreateUserMemory,
  type UserMemory,
  type UserMemoryType,
} from "@/api/user-memory";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import type { Writer, Writing } from "../drafts/use-draft";
import { KeptForm } from "./list-item-form";

export type MemoryDraft = Pick<UserMemory, "type" | "key" | "content">;

export const NEW_MEMORY: MemoryDraft = { type: "preference", key: "", content: "" };

interface Props {
  writer: Writer<UserMemory, MemoryDraft>;
  writing: Writing<UserMemory, MemoryDraft>;
  /** As it stands now; `null` when it is gone. */
  present: UserMemory | null;
}

const KEY_LENGTH = 120;
const TEXT_LENGTH = 10_000;

export function MemoryForm({ writer, writing: { old, draft }, present }: Props) {
  const { type, key, content } = draft;
  const isGone = old !== null && present === null;
  const { save, isPending, isStale, isTaken } = useSaving(old, present, writer.ending);
  const words = texts.drawer.memory;
  const stale = isStale && { title: words.stale, now: present?.content ?? "" };
  const told = isGone ? { title: words.gone, now: "" } : stale;
  return (
    <KeptForm
      saveLabel={words.save}
      isReady={key.trim() !== "" && content.trim() !== ""}
      isPending={isPending}
      isBegun={writer.isBegun}
      onSave={() => save({ type, key: key.trim(), content: content.trim() })}
      onEnd={writer.giveUp}
      {...(told && { stale: told })}
    >
      <NativeSelect
        label={words.type}
        value={type}
        data={Object.entries(words.types).map(([value, label]) => ({ value, label }))}
        onChange={(event) => writer.change({ type: event.currentTarget.value as UserMemoryType })}
      />
      <TextInput
        label={words.key}
        description={words.keyHint}
        value={key}
        maxLength={KEY_LENGTH}
        error={isTaken && words.exists}
        onChange={(event) => writer.change({ key: event.currentTarget.value })}
      />
      <Textarea
        label={words.text}
        value={content}
        rows={3}
        maxLength={TEXT_LENGTH}
        onChange={(event) => writer.change({ content: event.currentTarget.value })}
      />
    </KeptForm>
  );
}

/** After somebody else was quicker, a second save is meant for what stands there now; one that is gone is made anew. */
function useSaving(old: UserMemory | null, present: UserMemory | null, ending: () => () => void) {
  const [isStale, setStale] = useState(false);
  const [isTaken, setTaken] = useState(false);
  const create = useCreateUserMemory();
  const change = useChangeUserMemory();
  const failed = (error: unknown) => {
    const status = error instanceof Problem ? error.status : 0;
    if (status === 412) setStale(true);
    else if (status === 409) setTaken(true);
    else if (status !== 404) toastProblem(error);
  };
  const save = (body: MemoryDraft) => {
    const end = ending();
    setTaken(false);
    const memory = isStale || present === null ? present : old;
    const sent =
      memory === null
        ? create.mutateAsync({ ...body, is_active: old?.is_active ?? true })
        : change.mutateAsync({ memory, body });
    const said = memory === null ? texts.drawer.memory.created : texts.drawer.memory.changed;
    const saved = () => {
      toast(said, { tone: "ok" });
      end();
    };
    void sent.then(saved, failed);
  };
  return { save, isStale, isTaken, isPending: create.isPending || change.isPending };
}
