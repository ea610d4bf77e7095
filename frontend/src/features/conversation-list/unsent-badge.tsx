/** A badge for messages that cannot be sent; messages on their way have none. */

import { Link } from "react-router";
import { useShell } from "@/components/hooks/shell-context";
import { ChatTitleText } from "@/components/ui/chat-title-text";
import { Tag } from "@/components/ui/tag";
import { boxOf } from "@/lib/outbox";
import { useUnsent } from "@/lib/outbox-hooks";
import { texts } from "@/texts";
import classes from "./row.module.css";

interface Counts {
  waits: number;
  refused: number;
}

/** Of a conversation, or of the new chat for null. */
export function useUnsentCounts(conversationId: string | null): Counts {
  const { me } = useShell();
  const waiting = useUnsent(boxOf(me.user.id, me.workspace?.id ?? "", conversationId));
  const refused = waiting.filter((one) => one.refused !== "").length;
  return { refused, waits: waiting.filter(({ delay }) => delay !== "" && delay !== "turn").length };
}

export function UnsentBadge({ waits, refused }: Counts) {
  if (refused > 0) return <Tag tone="bad">{texts.list.notSent(refused)}</Tag>;
  return waits > 0 && <Tag tone="warn">{texts.list.waits(waits)}</Tag>;
}

/** The row of a conversation that could not be created yet. */
export function UncreatedChat({ current, onChoose }: { current: boolean; onChoose: () => void }) {
  const counts = useUnsentCounts(null);
  if (counts.waits + counts.refused === 0) return null;
  return (
    <ul>
      <li className={classes.row} data-current={current}>
        <Link to="/" className={classes.link} aria-current={current ? "page" : undefined} onClick={onChoose}>
          <ChatTitleText title={texts.list.newChat} />
          <UnsentBadge {...counts} />
        </Link>
      </li>
    </ul>
  );
}
