/** Single items of a report: the first of each kind, and what was omitted. */

import { useState } from "react";
import { Link } from "react-router";
import type { FileReport, FirstItem, ImportProblem } from "@/api/import-files";
import { TextButton } from "@/components/ui/text-button";
import { SESSIONS } from "@/lib/memory-paths";
import { importFiles as words } from "@/texts/import-files";
import { nodePath } from "../routes";
import shared from "../shared.module.css";
import classes from "./import-files.module.css";
import { rowsOf } from "./report-numbers";

const FEW = 10;

export function FirstItems({ report }: { report: FileReport }) {
  const kinds = rowsOf(report).filter(({ kind }) => (report.first[kind] ?? []).length > 0);
  if (kinds.length === 0) return null;
  return (
    <section className={classes.part} aria-labelledby="import-first">
      <h3 id="import-first">{report.dry_run ? words.first : words.firstImported}</h3>
      {kinds.map(({ kind }) => (
        <div key={kind} className={classes.part}>
          <h4>{words.kindTitle(kind)}</h4>
          <ul className={classes.items} aria-label={words.kindTitle(kind)}>
            {(report.first[kind] ?? []).map((item, place) => (
              <li key={place}>
                <ItemName item={item} />
                {item.status === "existing" && <span className={shared.hint}>{words.statuses.existing}</span>}
                {item.address !== "" && <span className={classes.address}>{item.address}</span>}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

/** A link to what the item became, once it exists. */
function ItemName({ item }: { item: FirstItem }) {
  const path = pathOf(item);
  if (path === null) return <span className={classes.name}>{item.title}</span>;
  return (
    <Link className={classes.name} to={path}>
      {item.title}
    </Link>
  );
}

export function pathOf({ node_id, conversation_id, is_session }: FirstItem): string | null {
  if (node_id !== null) return nodePath(node_id);
  if (conversation_id === null) return null;
  return is_session ? `${SESSIONS}/${conversation_id}` : `/c/${conversation_id}`;
}

export function Problems({ report: { problems, problem_count } }: { report: FileReport }) {
  const [isOpen, setOpen] = useState(false);
  if (problem_count === 0) return null;
  const shown = isOpen ? problems : problems.slice(0, FEW);
  return (
    <section className={classes.part} aria-labelledby="import-problems">
      <h3 id="import-problems">{words.problems(problem_count)}</h3>
      <ul className={classes.items} aria-labelledby="import-problems">
        {shown.map((problem, place) => (
          <li key={place}>
            <ProblemLine problem={problem} />
          </li>
        ))}
      </ul>
      {problems.length > shown.length && (
        <p>
          <TextButton onClick={() => setOpen(true)}>{words.allProblems(problems.length)}</TextButton>
        </p>
      )}
      {isOpen && problem_count > problems.length && (
        <p className={shared.hint}>{words.someProblems(problems.length, problem_count)}</p>
      )}
    </section>
  );
}

function ProblemLine({ problem }: { problem: ImportProblem }) {
  const { kind, title, line, status, reason, detail } = problem;
  // What a reader could not read or leaves out has only a key.
  const name = kind === "problem" || kind === "skip" ? "" : title;
  const place = [name, line === null ? "" : words.line(line)].filter(Boolean).join(" · ");
  return (
    <>
      {place !== "" && <span className={classes.name}>{place}</span>}
      <span className={shared.hint}>
        {words.statuses[status]}: {words.reason(reason, detail)}
      </span>
    </>
  );
}
