/** How far an import is: first its upload, then the work on the server. */

import { Button, VisuallyHidden } from "@mantine/core";
import type { Sent } from "@/api/upload";
import { Meter } from "@/components/ui/meter";
import { fileSize } from "@/lib/format";
import { importFiles as words } from "@/texts/import-files";
import shared from "../shared.module.css";
import classes from "./import-files.module.css";
import type { Work } from "./import-steps";
import { totalBytes } from "./picked-files";

/** In percent. A screen reader announces no more steps than it can read. */
const ANNOUNCED_STEP = 20;

export function ImportProgress({ work, onCancel }: { work: Work; onCancel: () => void }) {
  const { files, upload, dryRun } = work;
  const title = dryRun ? words.previewing : words.importing;
  return (
    <section className={classes.part} aria-label={title}>
      <h3>{title}</h3>
      {files.length > 0 && (
        <p className={shared.told}>{words.picked(files.length, fileSize(totalBytes(files)))}</p>
      )}
      {upload === null ? <ServerProgress title={title} work={work} /> : <UploadProgress sent={upload} />}
      <div className={shared.actions}>
        <Button onClick={onCancel}>{words.cancel}</Button>
      </div>
    </section>
  );
}

function UploadProgress({ sent: { loaded, total } }: { sent: Sent }) {
  const percent = Math.floor((100 * loaded) / Math.max(total, 1));
  const text = percent === 100 ? words.uploaded : words.sent(fileSize(loaded), fileSize(total), percent);
  const announced = Math.floor(percent / ANNOUNCED_STEP) * ANNOUNCED_STEP;
  return (
    <>
      <Meter value={percent} label={words.uploading} text={text} tone="live" role="progressbar" />
      <p className={classes.sent}>{text}</p>
      <VisuallyHidden role="status">
        {percent === 100 ? words.uploaded : words.announceSent(announced)}
      </VisuallyHidden>
    </>
  );
}

function ServerProgress({ title, work: { stage, progress, dryRun } }: { title: string; work: Work }) {
  return (
    <>
      <Meter value={progress} label={title} text={stage} tone="live" role="progressbar" />
      <p className={shared.told} role="status">
        {stage}
      </p>
      {!dryRun && <p className={shared.told}>{words.background}</p>}
    </>
  );
}
