/** Create or edit a pin; the input survives a concurrent change. */

import { NativeSelect, Textarea } from "@mantine/core";
import { useState } from "react";
import { type Pin, useChangePin, useCreatePin } from "@/api/pins";
import { Problem } from "@/api/problems";
import { toast, toastProblem } from "@/components/feedback/toast";
import { drawerLists } from "@/texts/drawer-lists";
import { useDrawer } from "../drawer-context";
import type { DraftEditor, DraftState } from "../drafts/use-draft";
import { ListItemForm } from "./list-item-form";

export type PinDraft = Pick<Pin, "content" | "category">;

export const NEW_PIN: PinDraft = { content: "", category: "other" };

interface Props {
  editor: DraftEditor<Pin, PinDraft>;
  state: DraftState<Pin, PinDraft>;
  /** The current version; `null` if it was deleted. */
  current: Pin | null;
}

export function PinForm({ editor, state: { base, draft }, current }: Props) {
  const isDeleted = base !== null && current === null;
  const { save, isPending, isStale } = useSave(base, current, editor.closeAfterSave);
  const { content, category } = draft;
  const words = drawerLists.pins;
  const stale = isStale && { title: words.stale, current: words.staleNow(current?.content ?? "") };
  const conflict = isDeleted ? { title: words.gone, current: "" } : stale;
  return (
    <ListItemForm
      saveLabel={base === null ? words.create : words.save}
      isReady={content.trim() !== ""}
      isPending={isPending}
      shouldTakeFocus={editor.isNewlyOpened}
      onSave={() => save({ content: content.trim(), category })}
      onCancel={editor.discard}
      {...(conflict && { stale: conflict })}
    >
      <Textarea
        label={words.text}
        value={content}
        rows={3}
        onChange={(event) => editor.change({ content: event.currentTarget.value })}
      />
      <NativeSelect
        label={words.category}
        value={category}
        data={Object.entries(words.categories).map(([value, label]) => ({ value, label }))}
        onChange={(event) => editor.change({ category: event.currentTarget.value as Pin["category"] })}
      />
    </ListItemForm>
  );
}

/** After a conflict, saving again applies to the current version; a deleted pin is created again. */
function useSave(base: Pin | null, current: Pin | null, closeAfterSave: () => () => void) {
  const { id } = useDrawer();
  const [isStale, setStale] = useState(false);
  const create = useCreatePin(id);
  const change = useChangePin(id);
  const words = drawerLists.pins;
  const onError = (error: unknown) => {
    if (error instanceof Problem && error.status === 412) setStale(true);
    else if (!(error instanceof Problem && error.status === 404)) toastProblem(error);
  };
  const save = (body: PinDraft) => {
    const close = closeAfterSave();
    const pin = isStale || current === null ? current : base;
    const from = base === null ? {} : { message_id: base.message_id };
    const request =
      pin === null ? create.mutateAsync({ ...from, ...body }) : change.mutateAsync({ pin, body });
    const onSaved = ({ token_count: tokens }: Pin) => {
      toast(pin === null ? words.pinned(tokens) : words.changed, { tone: "ok" });
      close();
    };
    void request.then(onSaved, onError);
  };
  return { save, isStale, isPending: create.isPending || change.isPending };
}
