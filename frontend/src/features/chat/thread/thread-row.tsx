/** A message, or its place while it is fetched, and the compactions that stand below it. */

import { memo } from "react";
import type { ExclusionPreview } from "@/api/exclusions";
import type { Message } from "@/api/messages";
import { MessageView } from "../message/message";
import { CompactionMarker } from "./compaction-marker";
import { markersBelow, type Places } from "./compaction-markers";
import { Skeleton } from "./skeleton";
import classes from "./thread.module.css";
import type { MessageAt } from "./use-messages";
import type { Marks } from "./use-message-flags";

interface Props {
  index: number;
  count: number;
  messageAt: MessageAt;
  places: Places;
  marks: Marks;
  authorOf: (message: Message) => string;
  isCurrent: boolean;
  isFramed: boolean;
  isEdited: boolean;
  asked: ExclusionPreview | null;
}

export const ThreadRow = memo(function ThreadRow(props: Props) {
  const { index, count, messageAt, places, marks, authorOf, isCurrent, isFramed, isEdited, asked } = props;
  const message = messageAt(index);
  if (message === undefined) return <Skeleton index={index} />;
  const markers = markersBelow(index, count, messageAt, places);
  return (
    <>
      <MessageView
        {...{ message, isCurrent, isFramed, isEdited, asked }}
        author={authorOf(message)}
        total={count}
        isPinned={marks.isPinned(message)}
        isNewest={index === count - 1}
        isBroken={marks.isBroken(message)}
      />
      {markers.length > 0 && (
        <div className={classes.markers}>
          {markers.map((marker) => (
            <CompactionMarker key={`${marker.kind}-${marker.run?.id ?? ""}`} marker={marker} />
          ))}
        </div>
      )}
    </>
  );
});
