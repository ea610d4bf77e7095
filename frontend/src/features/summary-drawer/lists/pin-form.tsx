/** A pin's text and category, new or changed; what was typed outlives a change from elsewhere. */

import { NativeSelect, Textarea } from "@mantine/core";
import { useState } from "react";
import { type Pin, useChangePin, useCreatePin } from "@/api/pins";
import { Problem } from "@/api/problems";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { useDrawer } from "../drawer-context";
import type { Writer, Writing } from "../drafts/use-draft";
import { KeptForm } from "./list-item-form";

export type PinDraft = Pick<Pin, "content" | "category">;

export const NEW_PIN: PinDraft = { content: "", category: "other" };

interface Props {
  writer: Writer<Pin, PinDraft>;
  writing: Writing<Pin, PinDraft>;
  /** As it stands now; `null` when it is gone. */
  present: Pin | null;
}

export function PinForm({ writer, writing: { old, draft }, present }: Props) {
  const isGone = old !== null && present === null;
  const { save, isPending, isStale } = useSaving(old, present, writer.ending);
  const { content, category } = draft;
  const words = texts.drawer.pins;
  const stale = isStale && { title: words.stale, now: words.staleNow(present?.content ?? "") };
  const told = isGone ? { title: words.gone, now: "" } : stale;
  return (
    <KeptForm
      saveLabel={old === null ? words.create : words.save}
      isReady={content.trim() !== ""}
      isPending={isPending}
      isBegun={writer.isBegun}
      onSave={() => save({ content: content.trim(), category })}
      onEnd={writer.giveUp}
      {...(told && { stale: told })}
    >
      <Textarea
        label={words.text}
        value={content}
        rows={3}
        onChange={(event) => writer.change({ content: event.currentTarget.value })}
      />
      <NativeSelect
        label={words.category}
        value={category}
        data={Object.entries(words.categories).map(([value, label]) => ({ value, label }))}
        onChange={(event) => writer.change({ category: event.currentTarget.value as Pin["category"] })}
      />
    </KeptForm>
  );
}

/** After somebody else was quicker, a second save is meant for what stands there now; a pin that is gone is made anew. */
function useSaving(old: Pin | null, present: Pin | null, ending: () => () => void) {
  const { id } = useDrawer();
  const [isStale, setStale] = useState(false);
  const create = useCreatePin(id);
  const change = useChangePin(id);
  const words = texts.drawer.pins;
  const failed = (error: unknown) => {
    if (error instanceof Problem && error.status === 412) setStale(true);
    else if (!(error instanceof Problem && error.status === 404)) toastProblem(error);
  };
  const save = (body: PinDraft) => {
    const end = ending();
    const pin = isStale || present === null ? present : old;
    const from = old === null ? {} : { message_id: old.message_id };
    const sent = pin === null ? create.mutateAsync({ ...from, ...body }) : change.mutateAsync({ pin, body });
    const saved = ({ token_count: tokens }: Pin) => {
      toast(pin === null ? words.pinned(tokens) : words.changed, { tone: "ok" });
      end();
    };
    void sent.then(saved, failed);
  };
  return { save, isStale, isPending: create.isPending || change.isPending };
}
