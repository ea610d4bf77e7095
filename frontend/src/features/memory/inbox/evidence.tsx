/** The words that a memory is based on, each with a link to its message. */

import { BadgeCheck } from "lucide-react";
import { useNavigate } from "react-router";
import type { InboxMemory, Quote } from "@/api/inbox";
import { TextButton } from "@/components/ui/text-button";
import { SourceMark } from "@/components/ui/source-mark";
import { inbox } from "@/texts/inbox";
import classes from "./inbox.module.css";
import { quotePath } from "./item-words";

interface Props extends Pick<InboxMemory, "quotes" | "sources"> {
  /** Decide about everything from the same source, if one may. */
  onSource: (() => void) | null;
}

export function Evidence({ quotes, sources, onSource }: Props) {
  return (
    <section className={classes.part}>
      <div className={classes.partHead}>
        <h3>{inbox.evidence}</h3>
        {onSource !== null && <TextButton onClick={onSource}>{`${inbox.from.title}…`}</TextButton>}
      </div>
      {quotes.length === 0 && (
        <p className={classes.hint}>
          {[
            inbox.noEvidence,
            ...sources.filter(({ kind }) => kind === "import").map(({ reference }) => reference),
          ].join(" ")}
        </p>
      )}
      {quotes.map((quote) => (
        <blockquote key={`${quote.message_id}/${quote.start}`} className={classes.quote}>
          <p>“{quote.text.trim()}”</p>
          <footer>
            <QuoteSource quote={quote} />
            {quote.is_exact ? (
              <span className={classes.verified}>
                <BadgeCheck size={14} strokeWidth={1.75} aria-hidden="true" /> {inbox.verified}
              </span>
            ) : (
              <span>{inbox.beginning}</span>
            )}
          </footer>
        </blockquote>
      ))}
    </section>
  );
}

/** Who said it, and where. */
export function QuoteSource({ quote }: { quote: Quote }) {
  const navigate = useNavigate();
  const who = quote.name === "" ? (inbox.speakers[quote.speaker] ?? quote.speaker) : quote.name;
  return (
    <span className={classes.source}>
      <SourceMark
        role={quote.role}
        index={quote.index}
        name={who}
        onShow={() => void navigate(quotePath(quote))}
      />
      {inbox.saidBy(who, quote.conversation_title)}
    </span>
  );
}
