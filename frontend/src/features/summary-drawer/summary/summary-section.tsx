/** The rolling summary: version, time, model, and its seven fields. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { FoldVertical, Pencil } from "lucide-react";
import { useState } from "react";
import { contextQuery, type PackMetadata } from "@/api/context";
import { effective, policyQuery } from "@/api/policy";
import { type Summary, summaryQuery, versionsQuery } from "@/api/summary";
import { Tag } from "@/components/ui/tag";
import { TextButton } from "@/components/ui/text-button";
import { time } from "@/lib/format";
import { drawerLists } from "@/texts/drawer-lists";
import { useDrawer } from "../drawer-context";
import { LoadError, Skeletons } from "../loading-states";
import { notDueText } from "../reasons";
import shared from "../shared.module.css";
import { useHasDraft } from "../drafts/use-draft";
import { FieldSection } from "./field-section";
import { FIELDS, linesOf } from "./lines";
import classes from "./summary.module.css";

export function SummarySection() {
  const { id } = useDrawer();
  const { data: summary, error, refetch } = useQuery(summaryQuery(id));
  return (
    <section aria-labelledby="drawer-summary">
      <Heading summary={summary} />
      {error && <LoadError onRetry={() => void refetch()} />}
      {!error && !summary && <Skeletons lines={6} />}
      {summary && <Body summary={summary} />}
    </section>
  );
}

function Body({ summary }: { summary: Summary }) {
  const [isManual, setManual] = useState(false);
  const isWritten = useHasDraft(FIELDS);
  const fields = FIELDS.map((field) => ({ field, lines: linesOf(summary.rolling_summary, field) }));
  if (!isManual && !isWritten && fields.every(({ lines }) => lines.length === 0))
    return <Empty onWrite={() => setManual(true)} />;
  return (
    <>
      {fields.map(({ field, lines }) => (
        <FieldSection key={field} field={field} lines={lines} dropped={summary.dropped[field] ?? 0} />
      ))}
      <SourcesLegend />
    </>
  );
}

function Heading({ summary }: { summary: Summary | undefined }) {
  const { navigate, id, run } = useDrawer();
  const { data } = useInfiniteQuery(versionsQuery(id));
  const words = drawerLists.summary;
  const version = data?.pages[0]?.data.find((one) => one.version === summary?.version);
  const writer = summary?.cause === "correction" ? words.byPerson : sourceText(version?.model);
  return (
    <div className={shared.heading}>
      <h2 id="drawer-summary" style={{ font: "inherit", margin: 0 }}>
        {words.title}
      </h2>
      {summary !== undefined && summary.version > 0 && (
        <Tag>{run.isUnderway ? words.inUse(summary.version) : words.version(summary.version)}</Tag>
      )}
      <span className={shared.meta}>
        {summary?.created_at && [time(summary.created_at), writer].filter(Boolean).join(", ")}
      </span>
      <TextButton onClick={() => navigate({ name: "history" })}>{words.history}</TextButton>
    </div>
  );
}

function sourceText(model: string | undefined): string {
  if (model === undefined || model === "") return "";
  return model === "offline" ? drawerLists.summary.byEngine : model;
}

function Empty({ onWrite }: { onWrite: () => void }) {
  const { id, canWrite } = useDrawer();
  const { data: pack } = useQuery(contextQuery(id));
  const words = drawerLists.summary;
  if (pack?.metadata.engine === "disabled") return null;
  return (
    <div className={classes.empty}>
      <FoldVertical size={24} strokeWidth={1.5} aria-hidden="true" />
      <h3>{words.emptyTitle}</h3>
      {pack && <FirstCompaction metadata={pack.metadata} />}
      {canWrite && <TextButton onClick={onWrite}>{words.byHand}</TextButton>}
    </div>
  );
}

/** When the first compaction comes. */
function FirstCompaction({ metadata }: { metadata: PackMetadata }) {
  const { view, run } = useDrawer();
  const { data: policy } = useQuery(policyQuery);
  const words = drawerLists.summary;
  const live = view?.state.counts.live_tokens ?? metadata.live_tokens;
  const threshold = metadata.limits.thresholds.light;
  const { not_due_reason: notDue } = metadata;
  if (run.isUnderway) return <p>{words.emptyRunning(live)}</p>;
  if (policy === undefined || !effective(policy).auto_compact) return <p>{words.emptyByHand(live)}</p>;
  if (live < threshold) return <p>{words.empty(threshold, live)}</p>;
  return <p>{notDue === null ? words.emptyDue(live) : words.emptyNotDue(live, notDueText(notDue))}</p>;
}

function SourcesLegend() {
  const { legend } = drawerLists.summary;
  return (
    <p className={classes.legend}>
      <span>
        <span aria-hidden="true">●</span> {legend.user}
      </span>
      <span>
        <span aria-hidden="true">○</span> {legend.assistant}
      </span>
      <span>
        <span aria-hidden="true">◇</span> {legend.tool}
      </span>
      <span>
        <Pencil size={13} strokeWidth={1.75} aria-hidden="true" /> {legend.corrected}
      </span>
    </p>
  );
}
