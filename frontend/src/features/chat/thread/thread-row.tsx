/** A message or its placeholder, and the compaction markers below it. */

import { memo } from "react";
import type { ExclusionPreview } from "@/api/exclusions";
import type { Message } from "@/api/messages";
import { MessageView } from "../message/message";
import { CompactionMarker } from "./compaction-marker";
import { markersBelow, type CompactionMarkers } from "./compaction-markers";
import { Skeleton } from "./skeleton";
import classes from "./thread.module.css";
import type { Branches } from "./use-branches";
import type { MessageAt } from "./use-messages";
import type { MessageFlags } from "./use-message-flags";

interface Props {
  index: number;
  count: number;
  messageAt: MessageAt;
  compactions: CompactionMarkers;
  flags: MessageFlags;
  authorOf: (message: Message) => string;
  branches: Branches | undefined;
  isCurrent: boolean;
  isHighlighted: boolean;
  isEdited: boolean;
  exclusionPreview: ExclusionPreview | null;
}

export const ThreadRow = memo(function ThreadRow(props: Props) {
  const {
    index,
    count,
    messageAt,
    compactions,
    flags,
    authorOf,
    branches,
    isCurrent,
    isHighlighted,
    isEdited,
    exclusionPreview,
  } = props;
  const message = messageAt(index);
  if (message === undefined) return <Skeleton index={index} />;
  const markers = markersBelow(index, count, messageAt, compactions);
  return (
    <>
      <MessageView
        {...{ message, branches, isCurrent, isHighlighted, isEdited, exclusionPreview }}
        author={authorOf(message)}
        total={count}
        isPinned={flags.isPinned(message)}
        isNewest={index === count - 1}
        isBroken={flags.isBroken(message)}
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
