/** The chats by age. Older ones come while one scrolls, a few times by themselves and then on demand. */

import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { conversationsQuery } from "@/api/conversations";
import { policyQuery } from "@/api/policy";
import { texts } from "@/texts";
import classes from "./chats.module.css";
import { grouped } from "./groups";
import { NotBegun } from "./unsent-badge";
import { Row } from "./row";

const PAGES_BY_THEMSELVES = 4;

interface Props {
  archived: boolean;
  currentId: string | undefined;
  onChoose: () => void;
}

export function Chats({ archived, currentId, onChoose }: Props) {
  const chats = useInfiniteQuery(conversationsQuery(archived));
  const threshold = useThreshold();
  if (chats.isPending) return <Skeleton />;
  if (chats.data === undefined) return <Failed onRetry={() => void chats.refetch()} />;
  const conversations = chats.data.pages.flatMap((page) => page.data);
  const groups = grouped(conversations, new Date());
  const onlySample = groups.length === 1 && groups[0]?.name === "sample";
  return (
    <>
      {!archived && (
        <div className={classes.group}>
          <NotBegun current={currentId === undefined} onChoose={onChoose} />
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
        <More
          key={chats.data.pages.length}
          byItself={chats.data.pages.length < PAGES_BY_THEMSELVES}
          busy={chats.isFetchingNextPage}
          onMore={() => void chats.fetchNextPage()}
        />
      )}
    </>
  );
}

/** Live tokens at which a compaction comes; unknown until the server said so. */
function useThreshold(): number | null {
  const { data } = useQuery(policyQuery);
  const threshold = data?.effective.light_compaction_threshold;
  return typeof threshold === "number" ? threshold : null;
}

function More({ byItself, busy, onMore }: { byItself: boolean; busy: boolean; onMore: () => void }) {
  const end = useRef<HTMLDivElement>(null);
  const more = useRef(onMore);
  useEffect(() => {
    if (!byItself || end.current === null || !("IntersectionObserver" in window)) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) more.current();
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [byItself]);
  return (
    <div ref={end} className={classes.more}>
      <Button size="compact-sm" variant="subtle" loading={busy} onClick={onMore}>
        {texts.list.older}
      </Button>
    </div>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
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
