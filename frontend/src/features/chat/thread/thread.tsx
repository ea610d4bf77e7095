/**
 * The messages, of which only those in sight are in the page. It opens at the newest, stays there while a reply grows,
 * and otherwise stays where the reader is.
 */

import { ArrowDown } from "lucide-react";
import { type CSSProperties, useEffect, useMemo, useRef } from "react";
import type { Message } from "@/api/messages";
import type { View } from "@/events/reducer";
import type { Waiting } from "@/lib/outbox";
import { texts } from "@/texts";
import type { Place } from "../chat";
import { isReplying, type RunningTurn } from "../sending/reply-streams";
import type { Asked } from "../use-exclude";
import { Announcement } from "./announcement";
import { placesOf } from "./compaction-markers";
import { Missing } from "./load-error";
import { TailRow } from "./footer-row";
import classes from "./thread.module.css";
import { ThreadRow } from "./thread-row";
import { useCoverage } from "./use-coverage";
import { useCurrent, useJump } from "./use-jump";
import { useMessages } from "./use-messages";
import { useRuns } from "./use-runs";
import { useThreadKeys } from "./use-thread-keys";
import { useThreadMarks } from "./use-message-flags";
import { useThreadScroll } from "./use-thread-scroll";

export interface ThreadProps {
  id: string;
  view: View | null;
  count: number;
  turn: RunningTurn | null;
  waiting: readonly Waiting[];
  place: Place | null;
  editing: number | null;
  asked: Asked | null;
  authorOf: (message: Message) => string;
  ownName: string;
}

export function Thread(props: ThreadProps) {
  const { id, view, count, turn, waiting, editing, asked } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const current = useCurrent(scroller, count);
  const held = [current, editing, asked?.index ?? null];
  const scroll = useThreadScroll({ scroller, count, waiting: waiting.length, held });
  const messages = useMessages(id, scroll.pages, turn);
  const { messageAt } = messages;
  const jump = useJump({ scroller, virtualizer: scroll.virtualizer, messageAt, count, place: props.place });
  useThreadKeys({ scroller, messageAt, count, goTo: jump.goTo, toEnd: scroll.toEnd });
  useEffect(() => {
    if (editing !== null) scroll.virtualizer.scrollToIndex(editing, { align: "auto" });
  }, [editing, scroll.virtualizer]);
  const marks = useThreadMarks(view, turn);
  const runs = useRuns(id, messageAt(scroll.first)?.created_at);
  const summary = useCoverage(id, view);
  const places = useMemo(() => placesOf(runs.runs, count, summary), [runs.runs, count, summary]);
  return (
    <div className={classes.frame}>
      <section ref={scroller} className={classes.scroller} aria-label={texts.chat.thread}>
        <div className={classes.all} style={allRows(scroll.virtualizer.getTotalSize(), count)}>
          {scroll.virtualizer.getVirtualItems().map(({ index, key, start }) => (
            <div
              key={key}
              ref={scroll.virtualizer.measureElement}
              data-index={index}
              className={classes.row}
              style={{ transform: `translateY(${start}px)` }}
            >
              {index === count ? (
                <TailRow
                  view={view}
                  waiting={waiting}
                  author={props.ownName}
                  afterReply={isReplying(turn, view?.state.turn)}
                />
              ) : (
                <ThreadRow
                  {...{ index, count, messageAt, places, marks }}
                  authorOf={props.authorOf}
                  isCurrent={index === current}
                  isFramed={index === jump.framed}
                  isEdited={index === editing}
                  asked={index === asked?.index ? asked.preview : null}
                />
              )}
            </div>
          ))}
        </div>
      </section>
      <Missing messages={messages} runs={runs} />
      {scroll.isAway && (
        <button type="button" className={classes.toEnd} onClick={scroll.toEnd}>
          <ArrowDown size={16} strokeWidth={1.75} aria-hidden="true" />
          {scroll.hasNews ? texts.chat.newMessages : texts.chat.toNewest}
        </button>
      )}
      <Announcement turn={turn} />
    </div>
  );
}

/** As high as all rows together; the numbers' column is as wide as the longest of them. */
function allRows(height: number, count: number): CSSProperties {
  return { height, "--digits": String(count).length + 1 } as CSSProperties;
}
