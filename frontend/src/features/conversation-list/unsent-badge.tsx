/** What was said and does not get through. What is only on its way is not worth a word. */

import { Link } from "react-router";
import { useShell } from "@/components/hooks/shell-context";
import { Tag } from "@/components/ui/tag";
import { boxOf } from "@/lib/outbox";
import { useWaiting } from "@/lib/outbox-hooks";
import { texts } from "@/texts";
import classes from "./row.module.css";

interface Counts {
  waits: number;
  refused: number;
}

/** In a conversation, or for one that is yet to be made. */
export function useHeld(conversationId: string | null): Counts {
  const { me } = useShell();
  const waiting = useWaiting(boxOf(me.user.id, me.workspace?.id ?? "", conversationId));
  const refused = waiting.filter((one) => one.refused !== "").length;
  return { refused, waits: waiting.filter(({ delay }) => delay !== "" && delay !== "turn").length };
}

export function Held({ waits, refused }: Counts) {
  if (refused > 0) return <Tag tone="bad">{texts.list.notSent(refused)}</Tag>;
  return waits > 0 && <Tag tone="warn">{texts.list.waits(waits)}</Tag>;
}

/** A conversation that cannot be made yet has no other row. */
export function NotBegun({ current, onChoose }: { current: boolean; onChoose: () => void }) {
  const held = useHeld(null);
  if (held.waits + held.refused === 0) return null;
  return (
    <ul>
      <li className={classes.row} data-current={current}>
        <Link to="/" className={classes.link} aria-current={current ? "page" : undefined} onClick={onChoose}>
          <span className={classes.title}>{texts.list.newChat}</span>
          <Held {...held} />
        </Link>
      </li>
    </ul>
  );
}
