/** A compaction in the thread, or the border between compacted and live messages. */

import { FoldVertical } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Compaction } from "@/api/compactions";
import { TextButton } from "@/components/ui/text-button";
import { texts } from "@/texts";
import { useMessageActions } from "../actions";
import { useIsInFlight } from "../in-flight";
import classes from "./compaction-marker.module.css";
import { CompactionIcon } from "./compaction-icon";
import type { Marker } from "./compaction-markers";
import { runText, seriesText, type CompactionText } from "./compaction-text";

const { chat } = texts;

export function CompactionMarker({ marker }: { marker: Marker }) {
  if (marker.kind === "border") return <Border {...marker} />;
  if (marker.kind === "series") return <Series {...marker} />;
  return (
    <Framed title={runText(marker.run).title}>
      <Run run={marker.run} isLast={marker.isLast} />
    </Framed>
  );
}

interface BorderProps {
  through: number;
  version: number;
  run: Compaction | null;
}

function Border({ through, version, run }: BorderProps) {
  return (
    <Framed title={chat.border(through)}>
      <div className={classes.row}>
        <FoldVertical size={16} strokeWidth={1.75} aria-hidden="true" />
        <strong>{chat.border(through)}</strong>
        <span className={classes.detail}>{chat.borderDetail(version)}</span>
        {run !== null && <Undo run={run} />}
      </div>
    </Framed>
  );
}

function Series({ runs, run, isLast }: { runs: readonly Compaction[]; run: Compaction; isLast: boolean }) {
  const [open, setOpen] = useState(false);
  const isExpanded = seriesText(runs);
  return (
    <Framed title={isExpanded.title}>
      <Row {...isExpanded}>
        <TextButton aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? chat.hideRuns : chat.showRuns(runs.length)}
        </TextButton>
        {isLast && <Undo run={run} />}
      </Row>
      {open && runs.map((one) => <Run key={one.id} run={one} isLast={false} />)}
    </Framed>
  );
}

function Run({ run, isLast }: { run: Compaction; isLast: boolean }) {
  const { compare } = useMessageActions();
  return (
    <Row {...runText(run)}>
      {compare && <TextButton onClick={() => compare(run)}>{chat.changes}</TextButton>}
      {isLast && <Undo run={run} />}
    </Row>
  );
}

function Framed({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={classes.marker} role="group" aria-label={title}>
      <CompactionIcon />
      {children}
    </div>
  );
}

function Row({ title, detail, numbers, children }: CompactionText & { children: ReactNode }) {
  return (
    <div className={classes.row}>
      <FoldVertical size={16} strokeWidth={1.75} aria-hidden="true" />
      <strong>{title}</strong>
      <span className={classes.detail}>{detail}</span>
      {numbers !== "" && (
        <span className={classes.numbers} title={texts.drawer.source.counted}>
          {numbers}
        </span>
      )}
      <span className={classes.deeds}>{children}</span>
    </div>
  );
}

function Undo({ run }: { run: Compaction }) {
  const { undoCompaction, may } = useMessageActions();
  const isBusy = useIsInFlight(run.id);
  if (!may.change) return null;
  return (
    <TextButton
      aria-label={chat.undoCompactionName(run.version ?? 0)}
      aria-disabled={isBusy}
      onClick={() => undoCompaction(run)}
    >
      {chat.undoCompaction}
    </TextButton>
  );
}
