/** Runs of tools, subagents and compactions, one line each, which open to an excerpt of their result. */

import {
  Bot,
  Bell,
  CircleX,
  FileText,
  FoldVertical,
  Import,
  type LucideIcon,
  ShieldQuestionMark,
  Wrench,
} from "lucide-react";
import { Tag } from "@/components/ui/tag";
import { time } from "@/lib/format";
import { sessions as words } from "@/texts/sessions";
import classes from "./sessions.module.css";
import { comparisonOf, titleIn, type ToolLine } from "./timeline-steps";

const ICONS: Record<ToolLine["kind"], LucideIcon> = {
  tool: Wrench,
  tool_failure: CircleX,
  subagent: Bot,
  compaction: FoldVertical,
  notification: Bell,
  permission: ShieldQuestionMark,
  task: Bot,
  failure: CircleX,
  setting: Wrench,
  imported: Import,
  summary: FileText,
};

export function ToolLines({ lines, directory }: { lines: readonly ToolLine[]; directory: string }) {
  return (
    <ul className={classes.lines}>
      {lines.map((line) => (
        <li key={line.id}>
          <Line line={{ ...line, title: titleIn(line.title, directory) }} />
        </li>
      ))}
    </ul>
  );
}

function Line({ line }: { line: ToolLine }) {
  const Icon = ICONS[line.kind];
  const comparison = comparisonOf(line.details);
  return (
    <details className={classes.line}>
      <summary>
        <Icon size={14} strokeWidth={1.75} role="img" aria-label={words.kinds_of[line.kind]} />
        <span className={classes.title}>{line.title}</span>
        {line.isSubagents && <Tag>{words.subagent}</Tag>}
        {line.isError && <Tag tone="bad">{words.failed}</Tag>}
        <time dateTime={line.at}>{time(line.at)}</time>
      </summary>
      <div className={classes.opened}>
        {comparison && <Lost {...comparison} />}
        {line.files.length > 0 && (
          <p className={classes.quiet}>
            {words.files}: {line.files.join(", ")}
          </p>
        )}
        {line.digest === "" ? (
          <p className={classes.quiet}>{words.nothingReturned}</p>
        ) : (
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Long lines scroll, also by keyboard.
          <pre tabIndex={0} role="group" aria-label={words.digest(line.title)}>
            {line.digest}
          </pre>
        )}
      </div>
    </details>
  );
}

function Lost({ compared, lost }: { compared: number; lost: readonly string[] }) {
  return (
    <>
      <p>{words.compared(compared, lost.length)}</p>
      {lost.length > 0 && (
        <ul className={classes.lost}>
          {lost.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </>
  );
}
