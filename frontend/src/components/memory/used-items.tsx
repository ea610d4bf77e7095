/** Memories and messages, also of other chats, that a reply used: each with its quote, its source and its numbers. */

import { type ReactNode, useId } from "react";
import { Link } from "react-router";
import { Tag } from "@/components/ui/tag";
import { used } from "@/texts/used";
import classes from "./used-items.module.css";

interface Item {
  id: string;
  quote: string;
  /** Empty for a message. */
  uri: string;
  index: number | null;
  name: string;
  /** Of another conversation than the one that is open. */
  conversation_id: string | null;
  conversation_title: string;
  score: number;
  similarity: number;
  /** That it is relevant; null if that was not judged. */
  chance: number | null;
  tokens: number;
  /** What to know about it. */
  notes: readonly string[];
}

interface Props {
  items: readonly Item[];
  unavailable?: number;
  /** The link or button that shows a message of the conversation. */
  messageLink: (index: number, label: string) => ReactNode;
}

export type UsedItemShown = Item;

export function UsedItems({ items, unavailable = 0, messageLink }: Props) {
  return (
    <>
      <ul className={classes.list}>
        {items.map((item) => (
          <ListItem key={item.id} item={item} messageLink={messageLink} />
        ))}
      </ul>
      {unavailable > 0 && <p className={classes.note}>{used.unavailable(unavailable)}</p>}
    </>
  );
}

type ItemProps = Pick<Props, "messageLink"> & { item: Item };

function ListItem({ item, messageLink }: ItemProps) {
  const quoteId = useId();
  return (
    <li className={classes.item}>
      <blockquote id={quoteId} className={classes.quote}>
        “{item.quote}”
      </blockquote>
      <p className={classes.source}>
        <Source item={item} messageLink={messageLink} quoteId={quoteId} />
        {item.notes.map((note) => (
          <Tag key={note}>{note}</Tag>
        ))}
      </p>
      <Details item={item} quoteId={quoteId} />
    </li>
  );
}

/** Links to memories are named alike: the quote tells them apart. */
function Source({ item, messageLink, quoteId }: ItemProps & { quoteId: string }) {
  const { id, index, name, conversation_id: chat, conversation_title: title } = item;
  if (index === null)
    return (
      <Link to={`/memory/n/${id}`} aria-describedby={quoteId}>
        {used.memory}
      </Link>
    );
  if (chat === null) return messageLink(index, used.message(index, name));
  return <Link to={`/c/${chat}?m=${index}`}>{used.messageOf(title, index, name)}</Link>;
}

function Details({ item, quoteId }: { item: Item; quoteId: string }) {
  return (
    <details className={classes.details}>
      <summary aria-describedby={quoteId}>{used.details}</summary>
      <p>{numbersOf(item)}</p>
      <p>{used.scoreIs}</p>
      {item.uri !== "" && <p className={classes.address}>{item.uri}</p>}
    </details>
  );
}

/** Without an embedding only words were compared, and not everything is judged. */
function numbersOf({ score, similarity, chance, tokens }: Item): string {
  const judged = chance === null ? [] : [used.chance(chance)];
  const meaning = similarity > 0 ? [used.similarity(similarity)] : [];
  return [...judged, used.score(score), ...meaning, used.tokens(tokens)].join(" · ");
}
