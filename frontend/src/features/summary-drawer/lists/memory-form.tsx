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
import { toast, toastProblem } from "@/components/toast";
import { texts } from "@/texts";
import { KeptForm } from "./kept-form";

interface Props {
  old: UserMemory | null;
  /** What a new one begins with. */
  first?: UserMemory;
  /** As it stands now. */
  present: UserMemory | null;
  onEnd: () => void;
}

const KEY_LENGTH = 120;
const TEXT_LENGTH = 10_000;

export function MemoryForm({ old, first, present, onEnd }: Props) {
  const from = old ?? first;
  const [type, setType] = useState<UserMemoryType>(from?.type ?? "preference");
  const [key, setKey] = useState(from?.key ?? "");
  const [content, setContent] = useState(from?.content ?? "");
  const { save, isPending, isStale, isTaken } = useSaving(old, present, onEnd);
  const words = texts.drawer.memory;
  const isReady = key.trim() !== "" && content.trim() !== "";
  return (
    <KeptForm
      saveLabel={words.save}
      isReady={isReady}
      isPending={isPending}
      onSave={() => save({ type, key: key.trim(), content: content.trim() })}
      onEnd={onEnd}
      {...(isStale && { stale: { title: words.stale, now: present?.content ?? "" } })}
    >
      <NativeSelect
        label={words.type}
        value={type}
        data={Object.entries(words.types).map(([value, label]) => ({ value, label }))}
        onChange={(event) => setType(event.currentTarget.value as UserMemoryType)}
      />
      <TextInput
        label={words.key}
        description={words.keyHint}
        value={key}
        maxLength={KEY_LENGTH}
        error={isTaken && words.exists}
        onChange={(event) => setKey(event.currentTarget.value)}
      />
      <Textarea
        label={words.text}
        value={content}
        rows={3}
        maxLength={TEXT_LENGTH}
        onChange={(event) => setContent(event.currentTarget.value)}
      />
    </KeptForm>
  );
}

type Body = Pick<UserMemory, "type" | "key" | "content">;

/** After somebody else was quicker, a second save is meant for what stands there now. */
function useSaving(old: UserMemory | null, present: UserMemory | null, onEnd: () => void) {
  const [isStale, setStale] = useState(false);
  const [isTaken, setTaken] = useState(false);
  const create = useCreateUserMemory();
  const change = useChangeUserMemory();
  const failed = (error: unknown) => {
    const status = error instanceof Problem ? error.status : 0;
    if (status === 412) setStale(true);
    else if (status === 409) setTaken(true);
    else toastProblem(error);
  };
  const save = (body: Body) => {
    setTaken(false);
    const memory = isStale ? present : old;
    const sent =
      memory === null
        ? create.mutateAsync({ ...body, is_active: true })
        : change.mutateAsync({ memory, body });
    const said = memory === null ? texts.drawer.memory.created : texts.drawer.memory.changed;
    const saved = () => {
      toast(said, { tone: "ok" });
      onEnd();
    };
    void sent.then(saved, failed);
  };
  return { save, isStale, isTaken, isPending: create.isPending || change.isPending };
}
