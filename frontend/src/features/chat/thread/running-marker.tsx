/** A compaction that runs: what it does now, and how far it is. */

import clsx from "clsx";
import { FoldVertical } from "lucide-react";
import type { LiveState } from "@/events/types";
import { TextButton } from "@/components/ui/text-button";
import { texts } from "@/texts";
import { useActions } from "../actions";
import classes from "./compaction-marker.module.css";
import { FourLines } from "./compaction-icon";

type Run = NonNullable<LiveState["compaction"]>;

export function RunningMarker({ compaction }: { compaction: Run }) {
  const { chat } = texts;
  const { stopCompaction, may } = useActions();
  const { compacted_from: from, compacted_through: through, compacted_count: many, stage, progress } = compaction;
  const isQueued = compaction.state === "queued";
  const doing = chat.compactingStage[isQueued ? "" : stage || "reading"] ?? "";
  return (
    <div className={clsx(classes.marker, classes.running)} role="group" aria-label={chat.compacting}>
      <FourLines running />
      <div className={classes.row}>
        <FoldVertical size={16} strokeWidth={1.75} aria-hidden="true" />
        <strong>{many > 0 ? chat.compactingMany(many) : chat.compacting}</strong>
        <span className={classes.detail}>
          {from !== null && through !== null && many > 0 && <span>{chat.range(from, through)},</span>}
          <span>{doing}</span>
        </span>
        {!isQueued && (
          <>
            <progress className={classes.progress} value={progress} max={100} aria-label={doing} />
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
