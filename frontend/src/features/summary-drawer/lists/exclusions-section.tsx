/** Messages that are neither sent nor compacted. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { EyeOff, Undo2 } from "lucide-react";
import { useState } from "react";
import { type ExcludedMessage, exclusionsQuery } from "@/api/exclusions";
import { Section } from "@/components/ui/section";
import { SourceMark } from "@/components/ui/source-mark";
import { TextButton } from "@/components/ui/text-button";
import { count } from "@/lib/format";
import { texts } from "@/texts";
import { drawerLists } from "@/texts/drawer-lists";
import { useDrawer } from "../drawer-context";
import { LineActions } from "../line-actions";
import { LoadError, Skeletons } from "../loading-states";
import { ExclusionChange } from "./exclusion-change";
import classes from "./lists.module.css";

/** The length of the API's excerpt. */
const EXCERPT = 200;

export function ExclusionsSection() {
  const { id } = useDrawer();
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(exclusionsQuery(id));
  const messages = data?.pages.flatMap((page) => page.data) ?? [];
  const words = drawerLists.exclusions;
  const countText = messages.length === 0 ? count(0) : texts.drawer.counted(messages.length, hasNextPage);
  return (
    <Section name="exclusions" title={words.title} icon={EyeOff} count={data === undefined ? "" : countText}>
      {error && <LoadError onRetry={() => void refetch()} />}
      {!error && !data && <Skeletons lines={2} />}
      {data && messages.length === 0 && <p className={classes.none}>{words.empty}</p>}
      <ul className={classes.list}>
        {messages.map((message) => (
          <ExcludedMessageItem key={message.id} message={message} />
        ))}
      </ul>
      {hasNextPage && <TextButton onClick={() => void fetchNextPage()}>{texts.drawer.more}</TextButton>}
    </Section>
  );
}

function ExcludedMessageItem({ message }: { message: ExcludedMessage }) {
  const { showMessage, canWrite } = useDrawer();
  const [including, setIncluding] = useState(false);
  const { index, role, name, excerpt, token_count: tokens } = message;
  const words = drawerLists.exclusions;
  const actions = [
    {
      icon: Undo2,
      label: drawerLists.labels.include,
      name: words.include(index),
      run: () => setIncluding(true),
    },
  ];
  return (
    <li className={classes.item}>
      <div className={classes.line}>
        <span className={classes.words}>
          {excerpt.length < EXCERPT ? excerpt : `${excerpt}…`}{" "}
          <span className={classes.quiet}>{texts.drawer.tokens(tokens)}</span>
        </span>
        {canWrite && <LineActions label={drawerLists.summary.actions(excerpt)} actions={actions} />}
        <SourceMark role={role} index={index} onShow={showMessage} {...(name === "" ? {} : { name })} />
      </div>
      {including && (
        <ExclusionChange message={message} excluded={false} onClose={() => setIncluding(false)} />
      )}
    </li>
  );
}
