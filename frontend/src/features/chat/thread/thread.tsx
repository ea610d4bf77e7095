/**
 * The virtualized thread. It opens at the newest message, follows a growing reply if the reader is at the end, and
 * otherwise keeps the scroll position.
 */

import { ArrowDown } from "lucide-react";
import { type CSSProperties, useEffect, useMemo, useRef } from "react";
import type { Message } from "@/api/messages";
import type { View } from "@/events/reducer";
import type { UnsentMessage } from "@/lib/outbox";
import { texts } from "@/texts";
import type { MessageTarget } from "../chat";
import { isReplying, type RunningTurn } from "../sending/reply-streams";
import type { PendingExclusion } from "../use-exclude";
import { ReplyAnnouncement } from "./announcement";
import { compactionMarkers } from "./compaction-markers";
import { LoadError } from "./load-error";
import { FooterRow } from "./footer-row";
import classes from "./thread.module.css";
import { ThreadRow } from "./thread-row";
import { useBranches } from "./use-branches";
import { useCoverage } from "./use-coverage";
import { useCurrentIndex, useJump } from "./use-jump";
import { useMessages } from "./use-messages";
import { useRuns } from "./use-runs";
import { useThreadKeys } from "./use-thread-keys";
import { useMessageFlags } from "./use-message-flags";
import { useThreadScroll } from "./use-thread-scroll";

export interface ThreadProps {
  id: string;
  view: View | null;
  count: number;
  turn: RunningTurn | null;
  waiting: readonly UnsentMessage[];
  target: MessageTarget | null;
  editing: number | null;
  pendingExclusion: PendingExclusion | null;
  authorOf: (message: Message) => string;
  ownName: string;
}

export function Thread(props: ThreadProps) {
  const { id, view, count, turn, waiting, editing, pendingExclusion } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const current = useCurrentIndex(scroller, count);
  const pinnedRows = [current, editing, pendingExclusion?.index ?? null];
  const scroll = useThreadScroll({ scroller, count, waiting: waiting.length, pinned: pinnedRows });
  const messages = useMessages(id, scroll.pages, turn);
  const { messageAt } = messages;
  const jump = useJump({ scroller, virtualizer: scroll.virtualizer, messageAt, count, target: props.target });
  useThreadKeys({ scroller, messageAt, count, goTo: jump.goTo, toEnd: scroll.toEnd });
  useEffect(() => {
    if (editing !== null) scroll.virtualizer.scrollToIndex(editing, { align: "auto" });
  }, [editing, scroll.virtualizer]);
  const flags = useMessageFlags(view, turn);
  const runs = useRuns(id, messageAt(scroll.first)?.created_at);
  const branchesAt = useBranches(id, count);
  const summary = useCoverage(id, view);
  const compactions = useMemo(
    () => compactionMarkers(runs.runs, count, summary),
    [runs.runs, count, summary],
  );
  return (
    <div className={classes.frame}>
      <section ref={scroller} className={classes.scroller} aria-label={texts.chat.thread}>
        <div className={classes.all} style={rowsStyle(scroll.virtualizer.getTotalSize(), count)}>
          {scroll.virtualizer.getVirtualItems().map(({ index, key, start }) => (
            <div
              key={key}
              ref={scroll.virtualizer.measureElement}
              data-index={index}
              className={classes.row}
              style={{ transform: `translateY(${start}px)` }}
            >
              {index === count ? (
                <FooterRow
                  view={view}
                  waiting={waiting}
                  author={props.ownName}
                  afterReply={isReplying(turn, view?.state.turn)}
                />
              ) : (
                <ThreadRow
                  {...{ index, count, messageAt, compactions, flags }}
                  authorOf={props.authorOf}
                  isCurrent={index === current}
                  branches={branchesAt(index)}
                  isHighlighted={index === jump.highlighted}
                  isEdited={index === editing}
                  exclusionPreview={index === pendingExclusion?.index ? pendingExclusion.preview : null}
                />
              )}
            </div>
          ))}
        </div>
      </section>
      <LoadError messages={messages} runs={runs} />
      {scroll.isAway && (
        <button type="button" className={classes.toEnd} onClick={scroll.toEnd}>
          <ArrowDown size={16} strokeWidth={1.75} aria-hidden="true" />
          {scroll.hasNews ? texts.chat.newMessages : texts.chat.toNewest}
        </button>
      )}
      <ReplyAnnouncement turn={turn} />
    </div>
  );
}

/** The total height, and the number of digits that the number column needs. */
function rowsStyle(height: number, count: number): CSSProperties {
  return { height, "--digits": String(count).length + 1 } as CSSProperties;
}
