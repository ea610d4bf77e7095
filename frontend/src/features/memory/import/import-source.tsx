/** The source of an import: a file, which takes precedence, or pasted text. */

import { Input, Textarea } from "@mantine/core";
import { useId, useState } from "react";
import { TextButton } from "@/components/ui/text-button";
import { memory } from "@/texts/memory";
import shared from "../shared.module.css";
import classes from "./import.module.css";
import { type ChosenFile, textOf } from "./memory-file";

const words = memory.import;
const TYPES = ".md,.markdown,.json,text/markdown,application/json";

interface Props {
  file: ChosenFile | null;
  pasted: string;
  onFile: (file: ChosenFile | null) => void;
  onPaste: (text: string) => void;
}

export function ImportSource({ file, pasted, onFile, onPaste }: Props) {
  if (file !== null) {
    return (
      <p className={classes.chosen}>
        <span className={shared.address}>{file.name}</span>{" "}
        <TextButton onClick={() => onFile(null)}>{words.withoutFile}</TextButton>
      </p>
    );
  }
  return (
    <>
      <FileField onFile={onFile} />
      <Textarea
        className={shared.mono ?? ""}
        label={words.paste}
        value={pasted}
        rows={8}
        spellCheck={false}
        onChange={(event) => onPaste(event.currentTarget.value)}
      />
    </>
  );
}

function FileField({ onFile }: Pick<Props, "onFile">) {
  const id = useId();
  const [error, setError] = useState<string | null>(null);
  const choose = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    try {
      onFile({ name: chosen.name, text: await textOf(chosen) });
    } catch {
      setError(words.notText);
    }
  };
  return (
    <Input.Wrapper id={id} label={words.file} description={words.fileIs} error={error}>
      <input
        id={id}
        aria-describedby={error === null ? `${id}-description` : `${id}-error ${id}-description`}
        aria-invalid={error !== null}
        className={classes.file}
        type="file"
        accept={TYPES}
        onChange={(event) => void choose(event.currentTarget.files?.[0])}
      />
    </Input.Wrapper>
  );
}
