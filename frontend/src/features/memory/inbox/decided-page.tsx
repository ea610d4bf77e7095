/** What was decided, newest first, each with its undo. */

import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { type Decided, decidedQuery, useUndoDecision } from "@/api/inbox";
import { Loading } from "@/components/feedback/loading";
import { toast, toastProblem } from "@/components/feedback/toast";
import { useShell } from "@/components/hooks/shell-context";
import { useTitle } from "@/components/hooks/use-title";
import { Tag } from "@/components/ui/tag";
import { TextButton } from "@/components/ui/text-button";
import { moment } from "@/lib/format";
import { texts } from "@/texts";
import { inbox } from "@/texts/inbox";
import { mayWrite } from "../permissions";
import { LoadError } from "../query-boundary";
import { nodePath } from "../routes";
import classes from "./inbox.module.css";
import { ViewTabs } from "./view-tabs";

const words = inbox.past;

export function DecidedPage() {
  const query = useInfiniteQuery(decidedQuery);
  useTitle(inbox.title);
  if (query.data === undefined) {
    return query.error === null ? (
      <Loading />
    ) : (
      <LoadError error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  const decisions = query.data.pages.flatMap((page) => page.data);
  return (
    <section className={classes.past} aria-label={inbox.decidedList}>
      <div className={classes.head}>
        <ViewTabs />
      </div>
      {decisions.length === 0 && <p className={classes.hint}>{words.empty}</p>}
      <ul>
        {decisions.map((one) => (
          <Row key={one.change_id} decided={one} />
        ))}
      </ul>
      {query.hasNextPage && (
        <Button
          size="compact-sm"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {inbox.more}
        </Button>
      )}
    </section>
  );
}

function Row({ decided }: { decided: Decided }) {
  const { me } = useShell();
  const { mutateAsync, isPending } = useUndoDecision();
  const undo = () => void mutateAsync(decided.change_id).then(() => toast(inbox.undone), toastProblem);
  return (
    <li className={classes.decidedRow}>
      <div>
        <p>
          <Link to={nodePath(decided.memory_id)}>{decided.text || decided.uri}</Link>{" "}
          {decided.count > 1 && <span className={classes.hint}>{words.andMore(decided.count - 1)}</span>}
        </p>
        <p className={classes.hint}>
          <Tag>{inbox.verdicts[decided.verdict] ?? decided.verdict}</Tag>{" "}
          {words.by(decided.actor_name, moment(decided.decided_at))}
        </p>
      </div>
      {decided.undone && <Tag>{words.undone}</Tag>}
      {!decided.undone && mayWrite(me) && (
        <TextButton aria-label={words.undo(decided.text)} disabled={isPending} onClick={undo}>
          {texts.common.undo}
        </TextButton>
      )}
    </li>
  );
}
