/** The chats by age. Older pages load automatically while scrolling a few times, then on demand. */

import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { conversationsQuery } from "@/api/conversations";
import { policyQuery } from "@/api/policy";
import { texts } from "@/texts";
import classes from "./chats.module.css";
import { groupByAge } from "./groups";
import { UncreatedChat } from "./unsent-badge";
import { Row } from "./row";

const AUTOMATIC_PAGES = 4;

interface Props {
  archived: boolean;
  currentId: string | undefined;
  onChoose: () => void;
}

export function Chats({ archived, currentId, onChoose }: Props) {
  const chats = useInfiniteQuery(conversationsQuery(archived));
  const threshold = useThreshold();
  if (chats.isPending) return <Skeleton />;
  if (chats.data === undefined) return <LoadError onRetry={() => void chats.refetch()} />;
  const conversations = chats.data.pages.flatMap((page) => page.data);
  const groups = groupByAge(conversations, new Date());
  const onlySample = groups.length === 1 && groups[0]?.name === "sample";
  return (
    <>
      {!archived && (
        <div className={classes.group}>
          <UncreatedChat current={currentId === undefined} onChoose={onChoose} />
        </div>
      )}
      {groups.map(({ name, conversations: those }) => (
        <section key={name} className={classes.group}>
          <h3>{texts.list.groups[name]}</h3>
          <ul>
            {those.map((one) => (
              <Row
                key={one.id}
                conversation={one}
                current={one.id === currentId}
                threshold={threshold}
                onChoose={onChoose}
              />
            ))}
          </ul>
        </section>
      ))}
      {(conversations.length === 0 || onlySample) && (
        <p className={classes.empty}>{archived ? texts.list.emptyArchive : texts.list.empty}</p>
      )}
      {chats.hasNextPage && (
        <LoadMore
          key={chats.data.pages.length}
          isAutomatic={chats.data.pages.length < AUTOMATIC_PAGES}
          busy={chats.isFetchingNextPage}
          onMore={() => void chats.fetchNextPage()}
        />
      )}
    </>
  );
}

/** The live-token threshold of compaction; undefined until the policy is loaded. */
function useThreshold(): number | null {
  const { data } = useQuery(policyQuery);
  const threshold = data?.effective.light_compaction_threshold;
  return typeof threshold === "number" ? threshold : null;
}

function LoadMore({
  isAutomatic,
  busy,
  onMore,
}: {
  isAutomatic: boolean;
  busy: boolean;
  onMore: () => void;
}) {
  const end = useRef<HTMLDivElement>(null);
  const more = useRef(onMore);
  useEffect(() => {
    if (!isAutomatic || end.current === null || !("IntersectionObserver" in window)) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) more.current();
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isAutomatic]);
  return (
    <div ref={end} className={classes.more}>
      <Button size="compact-sm" variant="subtle" loading={busy} onClick={onMore}>
        {texts.list.older}
      </Button>
    </div>
  );
}

function LoadError({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={classes.empty} role="alert">
      <p>{texts.list.failed}</p>
      <Button size="compact-sm" onClick={onRetry}>
        {texts.common.retry}
      </Button>
    </div>
  );
}

function Skeleton() {
  return (
    <div className={classes.skeleton} role="status" aria-label={texts.list.loading}>
      {[80, 64, 90, 56, 72].map((width) => (
        <span key={width} style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
