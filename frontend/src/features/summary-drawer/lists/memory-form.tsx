/** Create or edit a user memory. */

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
import { drawerLists } from "@/texts/drawer-lists";
import type { DraftEditor, DraftState } from "../drafts/use-draft";
import { ListItemForm } from "./list-item-form";

export type MemoryDraft = Pick<UserMemory, "type" | "key" | "content">;

export const NEW_MEMORY: MemoryDraft = { type: "preference", key: "", content: "" };

interface Props {
  editor: DraftEditor<UserMemory, MemoryDraft>;
  state: DraftState<UserMemory, MemoryDraft>;
  /** The current version; `null` if it was deleted. */
  current: UserMemory | null;
}

const KEY_LENGTH = 120;
const TEXT_LENGTH = 10_000;

export function MemoryForm({ editor, state: { base, draft }, current }: Props) {
  const { type, key, content } = draft;
  const isDeleted = base !== null && current === null;
  const { save, isPending, isStale, isNameTaken } = useSave(base, current, editor.closeAfterSave);
  const words = drawerLists.memory;
  const stale = isStale && { title: words.stale, current: current?.content ?? "" };
  const conflict = isDeleted ? { title: words.gone, current: "" } : stale;
  return (
    <ListItemForm
      saveLabel={words.save}
      isReady={key.trim() !== "" && content.trim() !== ""}
      isPending={isPending}
      shouldTakeFocus={editor.isNewlyOpened}
      onSave={() => save({ type, key: key.trim(), content: content.trim() })}
      onCancel={editor.discard}
      {...(conflict && { stale: conflict })}
    >
      <NativeSelect
        label={words.type}
        value={type}
        data={Object.entries(words.types).map(([value, label]) => ({ value, label }))}
        onChange={(event) => editor.change({ type: event.currentTarget.value as UserMemoryType })}
      />
      <TextInput
        label={words.key}
        description={words.keyHint}
        value={key}
        maxLength={KEY_LENGTH}
        error={isNameTaken && words.exists}
        onChange={(event) => editor.change({ key: event.currentTarget.value })}
      />
      <Textarea
        label={words.text}
        value={content}
        rows={3}
        maxLength={TEXT_LENGTH}
        onChange={(event) => editor.change({ content: event.currentTarget.value })}
      />
    </ListItemForm>
  );
}

/** After a conflict, saving again applies to the current version; a deleted one is created again. */
function useSave(base: UserMemory | null, current: UserMemory | null, closeAfterSave: () => () => void) {
  const [isStale, setStale] = useState(false);
  const [isNameTaken, setNameTaken] = useState(false);
  const create = useCreateUserMemory();
  const change = useChangeUserMemory();
  const onError = (error: unknown) => {
    const status = error instanceof Problem ? error.status : 0;
    if (status === 412) setStale(true);
    else if (status === 409) setNameTaken(true);
    else if (status !== 404) toastProblem(error);
  };
  const save = (body: MemoryDraft) => {
    const close = closeAfterSave();
    setNameTaken(false);
    const memory = isStale || current === null ? current : base;
    const request =
      memory === null
        ? create.mutateAsync({ ...body, is_active: base?.is_active ?? true })
        : change.mutateAsync({ memory, body });
    const confirmation = memory === null ? drawerLists.memory.created : drawerLists.memory.changed;
    const onSaved = () => {
      toast(confirmation, { tone: "ok" });
      close();
    };
    void request.then(onSaved, onError);
  };
  return { save, isStale, isNameTaken, isPending: create.isPending || change.isPending };
}
