/** Move a memory and its descendants, to a folder or a typed address. */

import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { type MemoryNode, useMoveMemory } from "@/api/memories";
import { Problem } from "@/api/problems";
import { problemMessage, toast } from "@/components/feedback/toast";
import { memory } from "@/texts/memory";
import { nameOf, parentOf } from "../address";
import { FormActions, InlineForm } from "../form";
import shared from "../shared.module.css";
import { usePersistedDraft } from "../use-persisted-draft";
import { FolderPicker } from "./folder-picker";

const words = memory.move;

interface Props {
  node: MemoryNode;
  onClose: () => void;
}

export function MoveForm({ node, onClose }: Props) {
  const { draft, change, done } = usePersistedDraft(`move/${node.id}`, { to: node.uri });
  const [folder, setFolder] = useState(parentOf(node.uri) ?? node.uri);
  const { mutateAsync, isPending, error, reset } = useMoveMemory(node.id);
  const to = draft.to.trim();
  const cancel = () => {
    done();
    onClose();
  };
  const choose = (next: string) => {
    setFolder(next);
    change({ to: `${next}/${nameOf(to) || nameOf(node.uri)}` });
  };
  const move = () => {
    if (to === node.uri || isPending) return;
    const moved = () => {
      toast(words.moved, { tone: "ok" });
      cancel();
    };
    void mutateAsync({ version: node.version, to }).then(moved, () => undefined);
  };
  return (
    <InlineForm title={words.title} onSubmit={move} onCancel={cancel}>
      <TextInput
        className={shared.mono ?? ""}
        label={words.address}
        description={words.addressIs}
        error={error && movedText(error)}
        value={draft.to}
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          change({ to: event.currentTarget.value });
          reset();
        }}
      />
      <FolderPicker folder={folder} moved={node.uri} onChoose={choose} />
      <FormActions onCancel={cancel}>
        <Button type="submit" variant="filled" loading={isPending} disabled={to === node.uri || to === ""}>
          {words.deed}
        </Button>
      </FormActions>
    </InlineForm>
  );
}

function movedText(error: Error): string {
  return error instanceof Problem && error.status === 412 ? words.stale : problemMessage(error);
}
