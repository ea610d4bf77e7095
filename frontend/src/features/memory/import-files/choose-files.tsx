/** The first step: drop or choose files, with where to find them. */

import { Button } from "@mantine/core";
import clsx from "clsx";
import { FileUp } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import type { PickedFile } from "@/api/import-files";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { toastProblem } from "@/components/feedback/toast";
import { fileSize } from "@/lib/format";
import { importFiles as words } from "@/texts/import-files";
import shared from "../shared.module.css";
import classes from "./import-files.module.css";
import type { Canceled } from "./import-steps";
import { filesOfDrop, filesOfInput, MAX_BYTES, MAX_FILES, type PickProblem } from "./picked-files";

interface Props {
  problem: PickProblem | null;
  notice: Canceled | null;
  onPick: (files: readonly PickedFile[]) => void;
}

const COMMAND = "continuity import --from transcripts";
const PLACES = Object.entries(words.places) as [keyof typeof words.places, string][];

export function ChooseFiles({ problem, notice, onPick }: Props) {
  return (
    <>
      <p className={shared.told}>{words.lead}</p>
      {notice && (
        <InlineAlert tone="info" role="status">
          <p>{words.canceled[notice]}</p>
        </InlineAlert>
      )}
      {problem && (
        <InlineAlert tone="warn" role="alert">
          <p>{problemText(problem)}</p>
        </InlineAlert>
      )}
      <DropZone onPick={onPick} />
      <section className={classes.part} aria-labelledby="import-places">
        <h3 id="import-places">{words.where}</h3>
        <dl className={classes.places}>
          {PLACES.map(([source, place]) => (
            <div key={source}>
              <dt>{words.sources[source]}</dt>
              <dd>{place}</dd>
            </div>
          ))}
        </dl>
        <p className={shared.told}>
          {words.command} <code className={classes.command}>{COMMAND}</code>
        </p>
      </section>
    </>
  );
}

function DropZone({ onPick }: Pick<Props, "onPick">) {
  const [isOver, setOver] = useState(false);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    filesOfDrop(event.dataTransfer).then(onPick, toastProblem);
  };
  const onDragOver = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The buttons inside do the same.
    <div
      role="group"
      aria-label={words.drop}
      className={clsx(classes.drop, isOver && classes.over)}
      onDrop={onDrop}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
    >
      <FileUp size={24} strokeWidth={1.75} aria-hidden="true" />
      <p className={classes.invitation}>{isOver ? words.dropNow : words.drop}</p>
      <div className={shared.actions}>
        <PickButton label={words.files} isFolder={false} onPick={onPick} />
        <PickButton label={words.folder} isFolder onPick={onPick} />
      </div>
    </div>
  );
}

function PickButton({
  label,
  isFolder,
  onPick,
}: { label: string; isFolder: boolean } & Pick<Props, "onPick">) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button variant={isFolder ? "default" : "filled"} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        hidden
        type="file"
        multiple
        aria-label={label}
        {...(isFolder ? { webkitdirectory: "" } : {})}
        onChange={(event) => {
          const files = filesOfInput(event.currentTarget.files);
          // The same file can be chosen again.
          event.currentTarget.value = "";
          if (files.length > 0) onPick(files);
        }}
      />
    </>
  );
}

function problemText(problem: PickProblem): string {
  switch (problem.name) {
    case "nothing":
      return words.nothingPicked;
    case "too_many":
      return words.tooMany(MAX_FILES);
    case "too_large":
      return words.tooLarge(fileSize(problem.bytes), fileSize(MAX_BYTES));
  }
}
