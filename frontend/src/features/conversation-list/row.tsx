import { VisuallyHidden } from "@mantine/core";
import { GitBranch } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import type { Conversation } from "@/api/conversations";
import { ChatTitleText } from "@/components/ui/chat-title-text";
import { Meter } from "@/components/ui/meter";
import { Tag } from "@/components/ui/tag";
import { count } from "@/lib/format";
import { texts } from "@/texts";
import { isSample } from "./groups";
import { DeleteConfirm } from "./delete-confirm";
import { UnsentBadge, useUnsentCounts } from "./unsent-badge";
import { Rename } from "./rename";
import { RowMenu } from "./row-menu";
import classes from "./row.module.css";

/** The threshold's position on the line, in percent. */
const TICK = 84;

interface Props {
  conversation: Conversation;
  current: boolean;
  threshold: number | null;
  onChoose: () => void;
}

export function Row({ conversation, current, threshold, onChoose }: Props) {
  const [renaming, setRenaming] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const unsent = useUnsentCounts(conversation.id);
  const link = useRef<HTMLAnchorElement>(null);
  useFocusAfter(renaming, link);
  const title = conversation.title || texts.list.untitled;
  if (renaming) return <Rename conversation={conversation} onEnd={() => setRenaming(false)} />;
  if (deleting) {
    const end = () => setDeleting(false);
    return (
      <li>
        <DeleteConfirm conversation={conversation} title={title} current={current} onEnd={end} />
      </li>
    );
  }
  return (
    <li className={classes.row} data-current={current}>
      <Link
        ref={link}
        to={`/c/${conversation.id}`}
        className={classes.link}
        aria-current={current ? "page" : undefined}
        title={title}
        onClick={onChoose}
      >
        {conversation.copied_from !== null && <ForkMark />}
        <ChatTitleText title={title} />
        {isSample(conversation) && <Tag>{texts.list.sample}</Tag>}
        <UnsentBadge {...unsent} />
      </Link>
      {threshold !== null && (
        <div className={classes.meter}>
          <Meter
            value={(conversation.live_tokens / threshold) * TICK}
            tick={TICK}
            label={texts.list.liveTokens(title)}
            text={texts.list.liveOf(count(conversation.live_tokens), count(threshold))}
          />
        </div>
      )}
      <RowMenu
        conversation={conversation}
        title={title}
        current={current}
        onRename={() => setRenaming(true)}
        onDelete={() => setDeleting(true)}
        onChoose={onChoose}
      />
    </li>
  );
}

function ForkMark() {
  return (
    <>
      <GitBranch className={classes.fork} size={14} strokeWidth={1.75} aria-hidden="true" />
      <VisuallyHidden>{texts.list.isFork} </VisuallyHidden>
    </>
  );
}

/** Return the focus to the link after the rename field is removed. */
function useFocusAfter(renaming: boolean, link: RefObject<HTMLElement | null>): void {
  const wasRenaming = useRef(renaming);
  useEffect(() => {
    if (wasRenaming.current && !renaming && document.activeElement === document.body) link.current?.focus();
    wasRenaming.current = renaming;
  }, [renaming, link]);
}
