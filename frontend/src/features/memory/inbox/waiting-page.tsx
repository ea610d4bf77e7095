/** What waits for a decision: the list on the left, the chosen item on the right; one after the other on a phone. */

import { Button } from "@mantine/core";
import { ArrowLeft, Inbox } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { Loading } from "@/components/feedback/loading";
import { useShell } from "@/components/hooks/shell-context";
import { useTitle } from "@/components/hooks/use-title";
import { inbox } from "@/texts/inbox";
import { mayWrite } from "../permissions";
import { LoadError } from "../query-boundary";
import { DECIDED, INBOX } from "../routes";
import classes from "./inbox.module.css";
import { ItemDetail } from "./item-detail";
import { ItemList } from "./item-list";
import { KeysBar } from "./keys-bar";
import { type Form, useInboxKeys } from "./use-inbox-keys";
import { useDecisions } from "./use-decisions";
import { useWaiting } from "./use-waiting";

export function WaitingPage() {
  const { me } = useShell();
  const waiting = useWaiting();
  const decisions = useDecisions(waiting.leave);
  const { current, query, items, isOpen, place } = waiting;
  const [opened, setOpened] = useState<{ id: string; form: Form } | null>(null);
  const form = opened !== null && opened.id === current?.id ? opened.form : null;
  const open = (next: Form | null) => {
    const target = waiting.target();
    setOpened(next !== null && target !== undefined ? { id: target.id, form: next } : null);
  };
  const canDecide = mayWrite(me);
  useTitle(inbox.title);
  useInboxKeys({ waiting, decisions, open, isFormOpen: form !== null, canDecide });
  if (query.data === undefined) {
    return query.error === null ? (
      <Loading />
    ) : (
      <LoadError error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  const isFiltered = waiting.filters.category !== "" || waiting.filters.source_kind !== "";
  if (items.length === 0 && !isFiltered) return <Empty />;
  return (
    <div className={classes.page}>
      <div className={classes.panes}>
        <ItemList waiting={waiting} decisions={decisions} canDecide={canDecide} />
        <section className={classes.detail} data-open={isOpen} aria-label={inbox.detail}>
          <Link className={classes.back} to={INBOX}>
            <ArrowLeft size={16} strokeWidth={1.75} aria-hidden="true" /> {inbox.back}
          </Link>
          {current !== undefined && (
            <ItemDetail
              key={current.id}
              item={current}
              position={inbox.position(place + 1, items.length, query.hasNextPage)}
              decisions={decisions}
              canDecide={canDecide}
              form={form}
              onOpen={open}
              onLater={() => waiting.move(1)}
            />
          )}
        </section>
      </div>
      <KeysBar decisions={decisions} />
    </div>
  );
}

function Empty() {
  return (
    <section className={classes.empty}>
      <Inbox size={24} strokeWidth={1.75} aria-hidden="true" />
      <h2>{inbox.emptyTitle}</h2>
      <p>{inbox.empty}</p>
      <Button component={Link} to={DECIDED}>
        {inbox.showDecided}
      </Button>
    </section>
  );
}
