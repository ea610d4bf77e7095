/** What one revision changed: the lines of the text, then every other field before and after. */

import { VisuallyHidden } from "@mantine/core";
import type { Revision } from "@/api/memories";
import { memory } from "@/texts/memory";
import shared from "../shared.module.css";
import { fieldValue } from "./field-value";
import classes from "./revisions.module.css";

const words = memory.revisions;
const CONTENT = "l2_content";
const HUNKS = "hunks";
/** They follow by themselves, and would only lengthen the list. */
const STRENGTH = ["base_relevance", "last_access", "access_count", "tiers_by"];
const TIERS = ["l0_abstract", "l1_overview"];
const PERSON = "person";
const SIGNS: Record<string, string> = { added: "+", removed: "−", same: " " };

export function Difference({ revision }: { revision: Revision }) {
  const { hunks } = revision;
  const others = toldOf(revision);
  const isNothing = hunks.length === 0 && others.length === 0;
  return (
    <div className={classes.difference}>
      {isNothing && <p className={shared.hint}>{words.same}</p>}
      {hunks.map((lines, place) => (
        <Hunk key={place} lines={lines} />
      ))}
      {others.length > 0 && <FieldTable names={others} revision={revision} />}
    </div>
  );
}

/** Whether more differs than it tells here. */
export function isCut(revision: Revision): boolean {
  const shown = [HUNKS, ...toldOf(revision)];
  return revision.cut.some((name) => shown.includes(name));
}

/** Short tiers are told of where somebody wrote them, not where they were made of the text. */
function toldOf({ fields, after }: Revision): string[] {
  const isWritten = (after as { tiers_by?: string }).tiers_by === PERSON;
  const made = fields.includes(CONTENT) && !isWritten ? TIERS : [];
  const silent = [CONTENT, ...STRENGTH, ...made];
  return fields.filter((name) => !silent.includes(name));
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
      {lines.map(({ kind, text }, place) => (
        <div key={place} className={classes.line} data-kind={kind}>
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
