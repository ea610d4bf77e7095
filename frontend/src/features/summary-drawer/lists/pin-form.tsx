/** A pin's text and category, new or changed; what was typed outlives a change from elsewhere. */

import { NativeSelect, Textarea } from "@mantine/core";
import { useState } from "react";
import { type Pin, useChangePin, useCreatePin } from "@/api/pins";
import { Problem } from "@/api/problems";
import { toast, toastProblem } from "@/components/toast";
import { texts } from "@/texts";
import { useDrawer } from "../drawer-context";
import { KeptForm } from "./kept-form";

interface Props {
  old: Pin | null;
  /** As it stands now. */
  present: Pin | null;
  onEnd: () => void;
}

export function PinForm({ old, present, onEnd }: Props) {
  const { id } = useDrawer();
  const [content, setContent] = useState(old?.content ?? "");
  const [category, setCategory] = useState<Pin["category"]>(old?.category ?? "other");
  const [isStale, setStale] = useState(false);
  const create = useCreatePin(id);
  const change = useChangePin(id);
  const words = texts.drawer.pins;
  const failed = (error: unknown) => {
    if (error instanceof Problem && error.status === 412) setStale(true);
    else toastProblem(error);
  };
  const saved = (pin: Pin) => {
    toast(old === null ? words.pinned(pin.token_count) : words.changed, { tone: "ok" });
    onEnd();
  };
  const save = () => {
    const body = { content: content.trim(), category };
    const pin = isStale ? present : old;
    const sent = pin === null ? create.mutateAsync(body) : change.mutateAsync({ pin, body });
    void sent.then(saved, failed);
  };
  return (
    <KeptForm
      saveLabel={old === null ? words.create : words.save}
      isReady={content.trim() !== ""}
      isPending={create.isPending || change.isPending}
      onSave={save}
      onEnd={onEnd}
      {...(isStale && { stale: { title: words.stale, now: words.staleNow(present?.content ?? "") } })}
    >
      <Textarea
        label={words.text}
        value={content}
        rows={3}
        onChange={(event) => setContent(event.currentTarget.value)}
      />
      <NativeSelect
        label={words.category}
        value={category}
        data={Object.entries(words.categories).map(([value, label]) => ({ value, label }))}
        onChange={(event) => setCategory(event.currentTarget.value as Pin["category"])}
      />
    </KeptForm>
  );
}
