/** What an import would do, and what it did. */

import { Button, NativeSelect } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "react-router";
import type { FileReport, ImportFilesSource, PickedFile } from "@/api/import-files";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { count, fileSize } from "@/lib/format";
import { INBOX, SESSIONS, TREE } from "@/lib/memory-paths";
import { importChoice } from "@/texts/import-choice";
import { importFiles as words } from "@/texts/import-files";
import { ImportChoice } from "../import-choice";
import { folderPath } from "../routes";
import shared from "../shared.module.css";
import classes from "./import-files.module.css";
import { totalBytes } from "./picked-files";
import { FirstItems, Problems } from "./report-items";
import { changedItems, hasChats, hasSessions, isWorthwhile, rowsOf, STATUSES } from "./report-numbers";

const SOURCES = (Object.keys(words.sources) as ImportFilesSource[]).map((value) => ({
  value,
  label: words.sources[value],
}));

interface PreviewProps {
  report: FileReport;
  files: readonly PickedFile[];
  onSource: (source: ImportFilesSource) => void;
  onImport: (confirmed: boolean) => void;
  onOther: () => void;
}

export function ImportPreview({ report, files, onSource, onImport, onOther }: PreviewProps) {
  const others = report.recognized.filter((source) => source !== report.source);
  return (
    <>
      <Heading>{words.preview}</Heading>
      <p className={shared.told}>
        {words.picked(files.length, fileSize(totalBytes(files)))}. {words.nothingYet}
      </p>
      <NativeSelect
        className={classes.source ?? ""}
        label={words.source}
        data={SOURCES}
        value={report.source}
        onChange={(event) => onSource(event.currentTarget.value as ImportFilesSource)}
      />
      {others.length > 0 && (
        <InlineAlert tone="info">
          <p>{words.also(others.map((source) => words.sources[source]).join(", "))}</p>
        </InlineAlert>
      )}
      <Report report={report} />
      {isWorthwhile(report) && (
        <>
          <p>{words.ready(changedItems(report))}</p>
          <ImportChoice onImport={onImport} />
        </>
      )}
      <div className={shared.actions}>
        {!isWorthwhile(report) && (
          <Button variant="filled" disabled>
            {words.nothingNew}
          </Button>
        )}
        <Button variant="subtle" onClick={onOther}>
          {words.other}
        </Button>
      </div>
    </>
  );
}

export function ImportDone({ report, onAgain }: { report: FileReport; onAgain: () => void }) {
  return (
    <>
      <Heading>{words.done(changedItems(report))}</Heading>
      <p className={shared.told}>{`${words.source}: ${words.sources[report.source]}`}</p>
      {report.waiting > 0 && <p>{importChoice.waiting(report.waiting)}</p>}
      <div className={shared.actions}>
        {hasSessions(report) && <Way to={SESSIONS}>{words.sessions}</Way>}
        {hasChats(report) && <Way to={`${SESSIONS}?kind=chat`}>{words.chats}</Way>}
        {Object.keys(report.folders).length > 0 && <Way to={TREE}>{words.memories}</Way>}
        <Way to={INBOX}>{words.inbox}</Way>
        <Button onClick={onAgain}>{words.again}</Button>
      </div>
      <Report report={report} />
    </>
  );
}

/** A heading that takes the focus, since what was focused before is no longer there. */
function Heading({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h3 ref={heading} tabIndex={-1}>
      {children}
    </h3>
  );
}

function Way({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Button component={Link} to={to}>
      {children}
    </Button>
  );
}

function Report({ report }: { report: FileReport }) {
  return (
    <>
      <Counts report={report} />
      <Folders report={report} />
      <FirstItems report={report} />
      <Problems report={report} />
    </>
  );
}

function Counts({ report }: { report: FileReport }) {
  return (
    <section className={classes.part}>
      <table className={classes.counts}>
        <caption>{report.dry_run ? words.counts : words.countsImported}</caption>
        <thead>
          <tr>
            <th scope="col">{words.columns.kind}</th>
            {STATUSES.map((status) => (
              <th key={status} scope="col">
                {words.columns[status]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsOf(report).map(({ kind, counts }) => (
            <tr key={kind}>
              <th scope="row">{words.kindTitle(kind)}</th>
              {STATUSES.map((status) => (
                <td key={status} data-zero={counts[status] === 0}>
                  {count(counts[status])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {report.updated > 0 && <p className={shared.told}>{words.updated(report.updated)}</p>}
      {(hasSessions(report) || hasChats(report)) && (
        <p className={shared.told}>
          {words.messages(report.messages)} {words.learning}
        </p>
      )}
    </section>
  );
}

function Folders({ report: { folders, dry_run: isPreview } }: { report: FileReport }) {
  const entries = Object.entries(folders).sort(([one], [other]) => one.localeCompare(other));
  if (entries.length === 0) return null;
  return (
    <section className={classes.part} aria-labelledby="import-folders">
      <h3 id="import-folders">{isPreview ? words.folders : words.foldersImported}</h3>
      <ul className={classes.items}>
        {entries.map(([uri, many]) => (
          <li key={uri}>
            <Link className={classes.address} to={folderPath(uri)}>
              {uri}
            </Link>
            <span className={shared.hint}>{`${count(many)} ${words.kind("memory", many)}`}</span>
          </li>
        ))}
      </ul>
      <p className={shared.told}>{words.provenance}</p>
    </section>
  );
}
