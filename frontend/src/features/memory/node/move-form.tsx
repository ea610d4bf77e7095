/** Another address for a memory and all below it: by its folder, or typed. */

import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { type MemoryNode, useMoveMemory } from "@/api/memories";
import { Problem } from "@/api/problems";
import { problemWords, toast } from "@/components/feedback/toast";
import { memory } from "@/texts/memory";
import { nameOf, parentOf } from "../address";
import { FormActions, PlaceForm } from "../form";
import shared from "../shared.module.css";
import { useKeptDraft } from "../use-persisted-draft";
import { FolderPicker } from "./folder-picker";

const words = memory.move;

interface Props {
  node: MemoryNode;
  onLeave: () => void;
}

export function MoveForm({ node, onLeave }: Props) {
  const { draft, change, done } = useKeptDraft(`move/${node.id}`, { to: node.uri });
  const [folder, setFolder] = useState(parentOf(node.uri) ?? node.uri);
  const { mutateAsync, isPending, error, reset } = useMoveMemory(node.id);
  const to = draft.to.trim();
  const leave = () => {
    done();
    onLeave();
  };
  const choose = (next: string) => {
    setFolder(next);
    change({ to: `${next}/${nameOf(to) || nameOf(node.uri)}` });
  };
  const move = () => {
    if (to === node.uri || isPending) return;
    const moved = () => {
      toast(words.moved, { tone: "ok" });
      leave();
    };
    void mutateAsync({ version: node.version, to }).then(moved, () => undefined);
  };
  return (
    <PlaceForm title={words.title} onSend={move} onLeave={leave}>
      <TextInput
        className={shared.mono ?? ""}
        label={words.address}
        description={words.addressIs}
        error={error && told(error)}
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
      <FormActions onLeave={leave}>
        <Button type="submit" variant="filled" loading={isPending} disabled={to === node.uri || to === ""}>
          {words.deed}
        </Button>
      </FormActions>
    </PlaceForm>
  );
}

function told(error: Error): string {
  return error instanceof Problem && error.status === 412 ? words.stale : problemWords(error);
}
