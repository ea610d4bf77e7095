/** Merge an item into a memory in use: choose it, and edit the merged text. */

import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import { type InboxItem, type InboxMemory, useMergeItem } from "@/api/inbox";
import { Choices } from "@/components/ui/choices";
import { inbox } from "@/texts/inbox";
import { FormActions, InlineForm } from "../form";
import classes from "./inbox.module.css";
import { titleOfMemory } from "./item-words";
import { type Decisions, toastRefusal } from "./use-decisions";

const words = inbox.merge;

interface Props {
  item: InboxItem;
  onSettled: Decisions["settled"];
  onClose: () => void;
}

export function MergeItem({ item, onSettled, onClose }: Props) {
  const targets = [...item.near_duplicates.map(({ memory }) => memory), ...item.replaces];
  const [into, setInto] = useState(targets[0]?.id ?? "");
  /** The edited text; null while it follows from the chosen memory. */
  const [text, setText] = useState<string | null>(null);
  const { mutateAsync, isPending } = useMergeItem(item);
  const target = targets.find(({ id }) => id === into);
  const content = text ?? (target === undefined ? "" : combined(target, item.memory));
  const merge = () => {
    if (target === undefined || isPending || content.trim() === "") return;
    const merged = (decision: Parameters<typeof onSettled>[0]) => {
      onClose();
      onSettled(decision, "merge", item, inbox.merged);
    };
    void mutateAsync({ into_id: target.id, content }).then(merged, toastRefusal);
  };
  return (
    <InlineForm title={words.title} onSubmit={merge} onCancel={onClose}>
      {targets.length === 0 && <p className={classes.hint}>{words.none}</p>}
      {targets.length > 0 && (
        <>
          <Choices
            label={words.into}
            value={into}
            options={targets.map((memory) => ({ value: memory.id, label: titleOfMemory(memory) }))}
            onChange={setInto}
          />
          <Textarea
            label={words.text}
            value={content}
            rows={6}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </>
      )}
      <FormActions onCancel={onClose}>
        {targets.length > 0 && (
          <Button type="submit" variant="filled" loading={isPending}>
            {words.deed}
          </Button>
        )}
      </FormActions>
    </InlineForm>
  );
}

/** The lines of the memory in use, then those that are new. */
function combined(target: InboxMemory, added: InboxMemory): string {
  const lines = new Set(target.content.split("\n").map((line) => line.trim()));
  const fresh = added.content.split("\n").filter((line) => line.trim() !== "" && !lines.has(line.trim()));
  return [target.content, ...fresh].join("\n");
}
