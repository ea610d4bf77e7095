/** Compare two versions of the summary: added, removed and rewritten lines. */

import { useQuery } from "@tanstack/react-query";
import { Minus, Pencil, Plus } from "lucide-react";
import { lazy, Suspense } from "react";
import { type RemovedLine, summaryQuery } from "@/api/summary";
import { texts } from "@/texts";
import { drawerLists } from "@/texts/drawer-lists";
import { useDrawer } from "../drawer-context";
import { LoadError, Skeletons } from "../loading-states";
import { LineSources } from "../summary/line-sources";
import { plainText } from "../summary/lines";
import { type Change, changesBetween, removalOf } from "./changes";
import classes from "./history.module.css";

const Diff = lazy(() => import("@/components/ui/diff"));
const ICONS = { added: Plus, removed: Minus, changed: Pencil };

export function Comparison({ from, to }: { from: number; to: number }) {
  const { id } = useDrawer();
  const before = useQuery(summaryQuery(id, from));
  const after = useQuery(summaryQuery(id, to));
  const words = texts.drawer.comparison;
  if (before.error ?? after.error)
    return <LoadError onRetry={() => void Promise.all([before.refetch(), after.refetch()])} />;
  if (!before.data || !after.data) return <Skeletons lines={6} />;
  const { changes, unchanged } = changesBetween(before.data.rolling_summary, after.data.rolling_summary);
  return (
    <>
      {changes.length === 0 && <p>{words.nothing}</p>}
      <ul className={classes.changes}>
        {changes.map((change) => (
          <ChangedLine
            key={`${change.kind}${(change.after ?? change.before)?.key ?? ""}`}
            change={change}
            removal={removalOf(change.before, after.data.removed)}
          />
        ))}
      </ul>
      {changes.length > 0 && <p className={classes.quiet}>{words.unchanged(unchanged)}</p>}
    </>
  );
}

interface LineProps {
  change: Change;
  /** The reason for removing the old line, if known. */
  removal: RemovedLine | undefined;
}

function ChangedLine({ change: { field, kind, before, after }, removal }: LineProps) {
  const Icon = ICONS[kind];
  const shown = after ?? before;
  if (shown === null) return null;
  return (
    <li className={classes.change} data-kind={kind}>
      <Icon size={16} strokeWidth={1.75} role="img" aria-label={texts.drawer.comparison[kind]} />
      <span className={classes.words}>
        <span className={classes.quiet}>{capital(drawerLists.summary.one[field])}: </span>
        {before !== null && after !== null ? (
          <Suspense fallback={plainText(after)}>
            <Diff before={plainText(before)} after={plainText(after)} />
          </Suspense>
        ) : (
          plainText(shown)
        )}
        {removal && <RemovalReason removal={removal} />}
      </span>
      <LineSources ids={shown.sources} />
    </li>
  );
}

function RemovalReason({ removal: { reason, by } }: { removal: RemovedLine }) {
  const words = texts.drawer.comparison;
  return (
    <span className={classes.why}>
      {words.removedBecause[reason]}
      {by.length > 0 && (
        <>
          {" "}
          {words.endedBy} <LineSources ids={by} />
        </>
      )}
    </span>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
