/** An active compaction with its stage and progress. */

import clsx from "clsx";
import { FoldVertical } from "lucide-react";
import type { LiveState } from "@/events/types";
import { TextButton } from "@/components/ui/text-button";
import { texts } from "@/texts";
import { useMessageActions } from "../actions";
import classes from "./compaction-marker.module.css";
import { CompactionIcon } from "./compaction-icon";

type Run = NonNullable<LiveState["compaction"]>;

export function RunningMarker({ compaction }: { compaction: Run }) {
  const { chat } = texts;
  const { stopCompaction, may } = useMessageActions();
  const {
    compacted_from: from,
    compacted_through: through,
    compacted_count: count,
    stage,
    progress,
  } = compaction;
  const isQueued = compaction.state === "queued";
  const hasRange = count > 0 && from !== null && through !== null;
  const title = hasRange ? chat.compactingMany(from, through) : chat.compacting;
  const stageText = chat.compactingStage[isQueued ? "" : stage || "reading"] ?? "";
  return (
    <div className={clsx(classes.marker, classes.running)} role="group" aria-label={chat.compacting}>
      <CompactionIcon running />
      <div className={classes.row}>
        <FoldVertical size={16} strokeWidth={1.75} aria-hidden="true" />
        <strong>{title}</strong>
        <span className={classes.detail}>
          <span>{stageText}</span>
        </span>
        {!isQueued && (
          <>
            <progress className={classes.progress} value={progress} max={100} aria-label={stageText} />
            <span className={classes.numbers}>{chat.percentDone(progress)}</span>
          </>
        )}
        {may.change && (
          <span className={classes.deeds}>
            <TextButton aria-label={chat.stopCompaction} onClick={() => stopCompaction(compaction.run_id)}>
              {chat.stop}
            </TextButton>
          </span>
        )}
      </div>
    </div>
  );
}
