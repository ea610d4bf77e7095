/** The page that imports other tools' files: choose, preview, import, report. */

import { Button } from "@mantine/core";
import type { ImportFilesSource } from "@/api/import-files";
import { Problem } from "@/api/problems";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { problemMessage } from "@/components/feedback/toast";
import { useShell } from "@/components/hooks/shell-context";
import { useTitle } from "@/components/hooks/use-title";
import { Meter } from "@/components/ui/meter";
import { fileSize } from "@/lib/format";
import { importFiles as words } from "@/texts/import-files";
import { memory } from "@/texts/memory";
import { mayWrite } from "../permissions";
import shared from "../shared.module.css";
import { ChooseFiles } from "./choose-files";
import classes from "./import-files.module.css";
import { ImportPreview, ImportDone } from "./import-report";
import type { ImportState, Work } from "./import-steps";
import { totalBytes } from "./picked-files";
import { type FileImport, useFileImport } from "./use-file-import";

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
      return <Progress work={state} onCancel={cancel} />;
    case "preview": {
      const { files, report } = state;
      return (
        <ImportPreview
          report={report}
          files={files}
          onSource={(source: ImportFilesSource) => start(files, source, true)}
          onImport={() => start(files, report.source, false)}
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

function Progress({ work, onCancel }: { work: Work; onCancel: () => void }) {
  const { files, operationId, dryRun, progress } = work;
  const title = dryRun ? words.previewing : words.importing;
  const stage = operationId === null ? words.uploading : work.stage;
  return (
    <section className={classes.part} aria-label={title}>
      <h3>{title}</h3>
      {files.length > 0 && (
        <p className={shared.told}>{words.picked(files.length, fileSize(totalBytes(files)))}</p>
      )}
      <Meter value={progress} label={title} text={stage} tone="live" role="progressbar" />
      <p className={shared.told} role="status">
        {stage}
      </p>
      {!dryRun && operationId !== null && <p className={shared.told}>{words.background}</p>}
      <div className={shared.actions}>
        <Button onClick={onCancel}>{words.cancel}</Button>
      </div>
    </section>
  );
}

interface FailureProps {
  state: Extract<ImportState, { step: "failed" }>;
  onRetry: FileImport["start"];
  onOther: () => void;
}

function Failure({ state: { work, error }, onRetry, onOther }: FailureProps) {
  const { files, source, dryRun } = work;
  return (
    <>
      <InlineAlert
        tone="bad"
        role="alert"
        title={dryRun ? words.previewFailed : words.failed}
        code={error instanceof Problem ? error.code : ""}
      >
        <p>{problemMessage(error)}</p>
        {!dryRun && <p>{words.kept}</p>}
      </InlineAlert>
      <div className={shared.actions}>
        {files.length > 0 && (
          <Button variant="filled" onClick={() => onRetry(files, source, dryRun)}>
            {words.retry}
          </Button>
        )}
        <Button onClick={onOther}>{words.other}</Button>
      </div>
    </>
  );
}
