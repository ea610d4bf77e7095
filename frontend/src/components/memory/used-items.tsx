/** Memories and messages, also of other chats, that a reply used: each with its quote, source, score and tokens. */

import type { ReactNode } from "react";
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
          <li key={item.id} className={classes.item}>
            <blockquote className={classes.quote}>“{item.quote}”</blockquote>
            <p className={classes.source}>
              <Source item={item} messageLink={messageLink} />
              {item.notes.map((note) => (
                <Tag key={note}>{note}</Tag>
              ))}
            </p>
            <p className={classes.numbers}>{numbersOf(item)}</p>
          </li>
        ))}
      </ul>
      {unavailable > 0 && <p className={classes.note}>{used.unavailable(unavailable)}</p>}
      {items.length > 0 && <p className={classes.note}>{used.scoreIs}</p>}
    </>
  );
}

function Source({ item, messageLink }: Pick<Props, "messageLink"> & { item: Item }) {
  const { id, uri, index, name, conversation_id: chat, conversation_title: title } = item;
  if (index === null) return <Link to={`/memory/n/${id}`}>{uri}</Link>;
  if (chat === null) return messageLink(index, used.message(index, name));
  return <Link to={`/c/${chat}?m=${index}`}>{used.messageOf(title, index, name)}</Link>;
}

/** Without an embedding only words were compared. */
function numbersOf({ score, similarity, tokens }: Item): string {
  const meaning = similarity > 0 ? [used.similarity(similarity)] : [];
  return [used.score(score), ...meaning, used.tokens(tokens)].join(" · ");
}
