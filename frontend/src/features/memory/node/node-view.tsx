/** One memory: address, text in three tiers, sources, actions and revisions. */

import { useState } from "react";
import type { MemoryNode } from "@/api/memories";
import { useShell } from "@/components/hooks/shell-context";
import { date, dateTime } from "@/lib/format";
import { memory } from "@/texts/memory";
import { titleOf } from "../address";
import { mayChange, mayManage } from "../permissions";
import { Revisions } from "../revisions/revisions";
import { useLeftDraft } from "../use-persisted-draft";
import { useSingleKeyShortcuts } from "../use-shortcuts";
import { Breadcrumbs } from "./breadcrumbs";
import { Children } from "./children";
import { ActionForm } from "./action-form";
import { Actions, type Form } from "./actions";
import { draftName, EditForm } from "./edit-form";
import { Badges } from "./badges";
import { FactHistory } from "./fact-history";
import classes from "./node.module.css";
import { NodeNotes } from "./node-notes";
import { Relevance } from "./relevance";
import { Sources } from "./sources";
import { Tiers } from "./tiers";
import { TrustBadge } from "./trust-badge";

interface Props {
  node: MemoryNode;
  /** It was deleted while the user was looking at it. */
  isDeleted?: boolean;
}

export function NodeView({ node, isDeleted = false }: Props) {
  const { me } = useShell();
  const isEditing = useLeftDraft(draftName(node.id)) !== null;
  const isMine = mayChange(me, node);
  const isDirectory = node.node_type === "dir";
  const [form, setForm] = useState<Form | null>(isEditing && isMine ? "edit" : null);
  const openForm = isMine && node.archived_at === null ? setForm : undefined;
  useSingleKeyShortcuts({
    e: openForm && (() => openForm("edit")),
    m: openForm && !isDirectory && mayManage(me, node) ? () => openForm("merge") : undefined,
  });
  const closeForm = () => setForm(null);
  return (
    <div className={classes.node}>
      <article className={classes.body}>
        <Breadcrumbs uri={node.uri} />
        <h1>{titleOf(node.uri)}</h1>
        <Badges node={node} />
        <NodeNotes node={node} mayApprove={isMine} isDeleted={isDeleted} />
        {form === "edit" ? (
          <EditForm node={node} onClose={closeForm} onReopen={() => setForm("edit")} />
        ) : (
          <Tiers node={node} />
        )}
        {isDirectory && <Children uri={node.uri} />}
        {!isDirectory && <Sources sources={node.sources} />}
        {!isDirectory && <FactHistory node={node} />}
        {form === null || form === "edit" ? (
          <Actions node={node} isBusy={form === "edit"} onForm={setForm} />
        ) : (
          <ActionForm form={form} node={node} onClose={closeForm} />
        )}
        <p className={classes.foot}>
          {memory.node.occurred(date(node.occurred_at))}{" "}
          {memory.node.changed(dateTime(node.updated_at), node.version)}
        </p>
      </article>
      <aside className={classes.aside} aria-label={memory.node.aside}>
        {!isDirectory && <Relevance node={node} />}
        {!isDirectory && <TrustBadge node={node} />}
        <Revisions node={node} />
      </aside>
    </div>
  );
}
