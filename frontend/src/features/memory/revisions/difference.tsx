/** The difference of a revision: changed lines of the text, then the other fields before and after. */

import { VisuallyHidden } from "@mantine/core";
import type { Revision } from "@/api/memories";
import { memory } from "@/texts/memory";
import shared from "../shared.module.css";
import { fieldValue } from "./field-value";
import classes from "./revisions.module.css";

const words = memory.revisions;
const CONTENT = "l2_content";
const HUNKS = "hunks";
/** Derived fields, which would only lengthen the list. */
const RELEVANCE_FIELDS = ["base_relevance", "last_access", "access_count", "tiers_by"];
const TIERS = ["l0_abstract", "l1_overview"];
const PERSON = "person";
const SIGNS: Record<string, string> = { added: "+", removed: "−", same: " " };

export function Difference({ revision }: { revision: Revision }) {
  const { hunks } = revision;
  const others = shownFields(revision);
  const isUnchanged = hunks.length === 0 && others.length === 0;
  return (
    <div className={classes.difference}>
      {isUnchanged && <p className={shared.hint}>{words.same}</p>}
      {hunks.map((lines, index) => (
        <Hunk key={index} lines={lines} />
      ))}
      {others.length > 0 && <FieldTable names={others} revision={revision} />}
    </div>
  );
}

/** Whether the revision has more differences than the response contains. */
export function isTruncated(revision: Revision): boolean {
  const visibleFields = [HUNKS, ...shownFields(revision)];
  return revision.cut.some((name) => visibleFields.includes(name));
}

/** Abstract and overview are shown only if a person wrote them. */
function shownFields({ fields, after }: Revision): string[] {
  const isWritten = (after as { tiers_by?: string }).tiers_by === PERSON;
  const generated = fields.includes(CONTENT) && !isWritten ? TIERS : [];
  const hidden = [CONTENT, ...RELEVANCE_FIELDS, ...generated];
  return fields.filter((name) => !hidden.includes(name));
}

function Hunk({ lines }: { lines: Revision["hunks"][number] }) {
  const first = lines[0];
  return (
    <div
      className={classes.hunk}
      role="region"
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls sideways.
      tabIndex={0}
      aria-label={words.lines(first?.new || first?.old || 1)}
    >
      {lines.map(({ kind, text }, index) => (
        <div key={index} className={classes.line} data-kind={kind}>
          <span aria-hidden="true">{SIGNS[kind]}</span>
          {kind !== "same" && (
            <VisuallyHidden>{kind === "added" ? words.added : words.removed}: </VisuallyHidden>
          )}
          <span>{text === "" ? "\u00a0" : text}</span>
        </div>
      ))}
    </div>
  );
}

function FieldTable({ names, revision }: { names: string[]; revision: Revision }) {
  const [before, after] = [revision.before, revision.after] as Record<string, unknown>[];
  return (
    <dl className={classes.fields}>
      {names.map((name) => (
        <div key={name}>
          <dt>{words.fields[name] ?? name}</dt>
          <dd>
            <del>{fieldValue(name, before?.[name])}</del> <ins>{fieldValue(name, after?.[name])}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
