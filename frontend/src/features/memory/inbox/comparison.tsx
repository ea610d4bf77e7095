/** A memory in use and what may replace it, side by side with the words that differ. */

import { diffWordsWithSpace } from "diff";
import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import type { InboxItem, InboxMemory } from "@/api/inbox";
import { date } from "@/lib/format";
import { inbox } from "@/texts/inbox";
import { QuoteSource } from "./evidence";
import classes from "./inbox.module.css";

/** If fewer characters than this share are common, marking differences would mark everything. */
const LEAST_COMMON = 0.3;

export function Comparison({ item }: { item: InboxItem }) {
  const isPair = item.kind === "contradiction";
  return (
    <section className={classes.part}>
      <h3>{isPair ? inbox.pairTitle : inbox.replacesTitle}</h3>
      {item.replaces.map((earlier) => {
        const [before, after] = marked(earlier.content, item.memory.content);
        const since = date(earlier.valid_from ?? earlier.occurred_at);
        const later = date(item.memory.valid_from ?? item.memory.occurred_at);
        return (
          <div key={earlier.id} className={classes.pair}>
            <Side
              memory={earlier}
              title={isPair ? inbox.earlier(since) : inbox.before(earlier.version, since)}
            >
              {before}
            </Side>
            <ArrowRight size={16} strokeWidth={1.75} aria-hidden="true" />
            <Side memory={item.memory} title={isPair ? inbox.later(later) : inbox.after} isNew>
              {after}
            </Side>
          </div>
        );
      })}
    </section>
  );
}

interface SideProps {
  memory: InboxMemory;
  title: string;
  isNew?: boolean;
  children: ReactNode;
}

function Side({ memory, title, isNew = false, children }: SideProps) {
  const [quote] = memory.quotes;
  return (
    <div className={classes.side} data-new={isNew}>
      <p className={classes.hint}>{title}</p>
      <p className={classes.sideText}>{children}</p>
      {quote !== undefined && (
        <p className={classes.hint}>
          <QuoteSource quote={quote} />
        </p>
      )}
    </div>
  );
}

/** Both texts with their own words marked. */
function marked(before: string, after: string): [ReactNode, ReactNode] {
  const pieces = diffWordsWithSpace(before, after);
  const common = pieces.filter((piece) => !piece.added && !piece.removed);
  const shared = common.reduce((sum, { value }) => sum + value.trim().length, 0);
  if (shared < LEAST_COMMON * Math.max(before.length, after.length)) return [before, after];
  return [
    pieces.map(
      (piece, index) => !piece.added && (piece.removed ? <del key={index}>{piece.value}</del> : piece.value),
    ),
    pieces.map(
      (piece, index) => !piece.removed && (piece.added ? <ins key={index}>{piece.value}</ins> : piece.value),
    ),
  ];
}
