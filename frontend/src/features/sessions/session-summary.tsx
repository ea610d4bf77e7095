/** The summary of a session from the memory tree. */

import { Link } from "react-router";
import type { SessionDetail } from "@/api/sessions";
import { Markdown } from "@/components/markdown/markdown";
import { sessions as words } from "@/texts/sessions";
import classes from "./sessions.module.css";

export function SessionSummary({ archive }: { archive: SessionDetail["archive"] }) {
  return (
    <section className={classes.block}>
      <h3>{words.summary}</h3>
      {archive === null ? (
        <p className={classes.quiet}>{words.noSummary}</p>
      ) : (
        <>
          <p>{archive.abstract}</p>
          {archive.overview !== "" && (
            <details className={classes.details}>
              <summary>{words.summaryDetails}</summary>
              <Markdown text={archive.overview} />
            </details>
          )}
          <p>
            <Link to={`/memory/n/${archive.id}`}>{words.openSummary}</Link>
          </p>
        </>
      )}
    </section>
  );
}
