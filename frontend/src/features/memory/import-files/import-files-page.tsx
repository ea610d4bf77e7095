/** The page that imports other tools' files: choose, preview, import, report. */

import { Button } from "@mantine/core";
import type { ImportFilesSource } from "@/api/import-files";
import { Problem } from "@/api/problems";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { problemMessage } from "@/components/feedback/toast";
import { useShell } from "@/components/hooks/shell-context";
import { useTitle } from "@/components/hooks/use-title";
import { fileSize } from "@/lib/format";
import { importFiles as words } from "@/texts/import-files";
import { memory } from "@/texts/memory";
import { mayWrite } from "../permissions";
import shared from "../shared.module.css";
import { ChooseFiles } from "./choose-files";
import classes from "./import-files.module.css";
import { ImportProgress } from "./import-progress";
import { ImportPreview, ImportDone } from "./import-report";
import { type ImportState, interruptedAt, type Work } from "./import-steps";
import { type FileImport, PREVIEW, useFileImport } from "./use-file-import";

export default function ImportFilesPage() {
  useTitle(words.title);
  const { me } = useShell();
  if (!mayWrite(me)) return <InlineAlert tone="info">{memory.new.readOnly}</InlineAlert>;
  return (
    <div className={shared.page}>
      <div className={classes.page}>
        <h2>{words.title}</h2>
        <Steps />
      </div>
    </div>
  );
}

function Steps() {
  const { state, pick, start, cancel, reset } = useFileImport();
  switch (state.step) {
    case "choose":
      return <ChooseFiles problem={state.problem} notice={state.notice} onPick={pick} />;
    case "work":
      return <ImportProgress work={state} onCancel={cancel} />;
    case "preview": {
      const { files, report } = state;
      return (
        <ImportPreview
          report={report}
          files={files}
          onSource={(source: ImportFilesSource) => start(files, source, PREVIEW)}
          onImport={(confirmed) => start(files, report.source, { dryRun: false, confirmed })}
          onOther={reset}
        />
      );
    }
    case "done":
      return <ImportDone report={state.report} onAgain={reset} />;
    case "failed":
      return <Failure state={state} onRetry={start} onOther={reset} />;
  }
}

interface FailureProps {
  state: Extract<ImportState, { step: "failed" }>;
  onRetry: FileImport["start"];
  onOther: () => void;
}

function Failure({ state: { work, error }, onRetry, onOther }: FailureProps) {
  const { files, source, dryRun, confirmed } = work;
  return (
    <>
      <InlineAlert
        tone="bad"
        role="alert"
        title={failureTitle(work, error)}
        code={error instanceof Problem ? error.code : ""}
      >
        <p>{failureText(work, error)}</p>
        {!dryRun && <p>{words.kept}</p>}
      </InlineAlert>
      <div className={shared.actions}>
        {files.length > 0 && (
          <Button variant="filled" onClick={() => onRetry(files, source, { dryRun, confirmed })}>
            {words.retry}
          </Button>
        )}
        <Button onClick={onOther}>{words.other}</Button>
      </div>
    </>
  );
}

function failureTitle(work: Work, error: Error): string {
  if (interruptedAt(work, error) !== null) return words.interrupted;
  return work.dryRun ? words.previewFailed : words.failed;
}

function failureText(work: Work, error: Error): string {
  const sent = interruptedAt(work, error);
  if (sent === null) return problemMessage(error);
  return words.interruptedAfter(fileSize(sent.loaded), fileSize(sent.total), work.files.length);
}
