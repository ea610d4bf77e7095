/** One memory: its address, its text in three tiers, where it comes from, what can be done, and all that was. */

import { useState } from "react";
import type { MemoryNode } from "@/api/memories";
import { useShell } from "@/components/hooks/shell-context";
import { date, dateTime } from "@/lib/format";
import { memory } from "@/texts/memory";
import { titleOf } from "../address";
import { mayChange, mayManage } from "../permissions";
import { Revisions } from "../revisions/revisions";
import { useLeft } from "../use-persisted-draft";
import { useSingleKeys } from "../use-shortcuts";
import { Breadcrumbs } from "./breadcrumbs";
import { Children } from "./children";
import { DeedForm } from "./action-form";
import { Deeds, type Form } from "./actions";
import { draftName, EditForm } from "./edit-form";
import { Marks } from "./badges";
import classes from "./node.module.css";
import { NodeNotes } from "./node-notes";
import { Relevance } from "./relevance";
import { Sources } from "./sources";
import { Tiers } from "./tiers";
import { Trusted } from "./trust-badge";

interface Props {
  node: MemoryNode;
  /** It was erased while one looked at it. */
  isGone?: boolean;
}

export function NodeView({ node, isGone = false }: Props) {
  const { me } = useShell();
  const isWritten = useLeft(draftName(node.id)) !== null;
  const isMine = mayChange(me, node);
  const isDirectory = node.node_type === "dir";
  const [form, setForm] = useState<Form | null>(isWritten && isMine ? "edit" : null);
  const begin = isMine && node.archived_at === null ? setForm : undefined;
  useSingleKeys({
    e: begin && (() => begin("edit")),
    m: begin && !isDirectory && mayManage(me, node) ? () => begin("merge") : undefined,
  });
  const leave = () => setForm(null);
  return (
    <div className={classes.node}>
      <article className={classes.body}>
        <Breadcrumbs uri={node.uri} />
        <h1>{titleOf(node.uri)}</h1>
        <Marks node={node} />
        <NodeNotes node={node} isGone={isGone} />
        {form === "edit" ? (
          <EditForm node={node} onLeave={leave} onAgain={() => setForm("edit")} />
        ) : (
          <Tiers node={node} />
        )}
        {isDirectory && <Children uri={node.uri} />}
        {!isDirectory && <Sources sources={node.sources} />}
        {form === null || form === "edit" ? (
          <Deeds node={node} isBusy={form === "edit"} onForm={setForm} />
        ) : (
          <DeedForm form={form} node={node} onLeave={leave} />
        )}
        <p className={classes.foot}>
          {memory.node.occurred(date(node.occurred_at))}{" "}
          {memory.node.changed(dateTime(node.updated_at), node.version)}
        </p>
      </article>
      <aside className={classes.aside} aria-label={memory.node.aside}>
        {!isDirectory && <Relevance node={node} />}
        {!isDirectory && <Trusted node={node} />}
        <Revisions node={node} />
      </aside>
    </div>
  );
}
