/** Erasing takes a typed word, after it was said how much would go. */

import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { type ErasePreview, erasePreviewQuery, type MemoryNode, useEraseMemory } from "@/api/memories";
import { Note } from "@/components/feedback/inline-alert";
import { problemWords, toast, toastProblem } from "@/components/feedback/toast";
import { memory } from "@/texts/memory";
import { nameOf, parentOf } from "../address";
import { FormActions, PlaceForm } from "../form";
import { folderPath, pathOf, TREE } from "../routes";
import shared from "../shared.module.css";
import classes from "./node.module.css";

const words = memory.erase;

interface Props {
  node: MemoryNode;
  onLeave: () => void;
}

export function EraseForm({ node, onLeave }: Props) {
  const [typed, setTyped] = useState("");
  const { mutateAsync, isPending, isIdle } = useEraseMemory(node);
  // What is being erased is not counted again.
  const preview = useQuery({ ...erasePreviewQuery(node.id), enabled: isIdle });
  const navigate = useNavigate();
  const name = nameOf(node.uri);
  const isMeant = typed.trim() === name && preview.data !== undefined;
  const erase = () => {
    if (!isMeant || isPending) return;
    const parent = parentOf(node.uri);
    // First away from here: what is gone would be asked for once more.
    void navigate(parent === null ? TREE : folderPath(parent), { replace: true });
    const failed = (error: unknown) => {
      toastProblem(error);
      void navigate(pathOf(node), { replace: true });
    };
    void mutateAsync().then(() => toast(words.erased, { tone: "ok" }), failed);
  };
  return (
    <PlaceForm title={words.title} onSend={erase} onLeave={onLeave}>
      {preview.data ? <Taken preview={preview.data} /> : <p className={shared.told}>{words.counting}</p>}
      {preview.error && (
        <Note tone="bad" role="alert">
          <p>{problemWords(preview.error)}</p>
        </Note>
      )}
      <TextInput
        label={words.word(name)}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <FormActions onLeave={onLeave}>
        <Button type="submit" className={classes.erase ?? ""} loading={isPending} disabled={!isMeant}>
          {words.deed}
        </Button>
      </FormActions>
    </PlaceForm>
  );
}

function Taken({ preview: { count, examples } }: { preview: ErasePreview }) {
  return (
    <Note tone="bad">
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
    </Note>
  );
}
