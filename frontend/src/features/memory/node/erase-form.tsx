/** Delete permanently: shows how much is deleted, and requires a typed confirmation. */

import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { type ErasePreview, erasePreviewQuery, type MemoryNode, useEraseMemory } from "@/api/memories";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { problemMessage, toast, toastProblem } from "@/components/feedback/toast";
import { memory } from "@/texts/memory";
import { nameOf, parentOf } from "../address";
import { FormActions, InlineForm } from "../form";
import { folderPath, pathOf, TREE } from "../routes";
import shared from "../shared.module.css";
import classes from "./node.module.css";

const words = memory.erase;

interface Props {
  node: MemoryNode;
  onClose: () => void;
}

export function EraseForm({ node, onClose }: Props) {
  const [typed, setTyped] = useState("");
  const { mutateAsync, isPending, isIdle } = useEraseMemory(node);
  // Do not refetch the count during deletion.
  const preview = useQuery({ ...erasePreviewQuery(node.id), enabled: isIdle });
  const navigate = useNavigate();
  const name = nameOf(node.uri);
  const isConfirmed = typed.trim() === name && preview.data !== undefined;
  const erase = () => {
    if (!isConfirmed || isPending) return;
    const parent = parentOf(node.uri);
    // Navigate first; otherwise the deleted memory would be refetched.
    void navigate(parent === null ? TREE : folderPath(parent), { replace: true });
    const onError = (error: unknown) => {
      toastProblem(error);
      void navigate(pathOf(node), { replace: true });
    };
    void mutateAsync().then(() => toast(words.erased, { tone: "ok" }), onError);
  };
  return (
    <InlineForm title={words.title} onSubmit={erase} onCancel={onClose}>
      {preview.data ? (
        <ErasePreviewList preview={preview.data} />
      ) : (
        <p className={shared.told}>{words.counting}</p>
      )}
      {preview.error && (
        <InlineAlert tone="bad" role="alert">
          <p>{problemMessage(preview.error)}</p>
        </InlineAlert>
      )}
      <TextInput
        label={words.word(name)}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <FormActions onCancel={onClose}>
        <Button type="submit" className={classes.erase ?? ""} loading={isPending} disabled={!isConfirmed}>
          {words.deed}
        </Button>
      </FormActions>
    </InlineForm>
  );
}

function ErasePreviewList({ preview: { count, examples } }: { preview: ErasePreview }) {
  return (
    <InlineAlert tone="bad">
      <p>{words.takes(count)}</p>
      {examples.length > 1 && (
        <>
          <p>{words.examples}</p>
          <ul className={classes.examples}>
            {examples.map((uri) => (
              <li key={uri} className={shared.address}>
                {uri}
              </li>
            ))}
          </ul>
        </>
      )}
    </InlineAlert>
  );
}
