/** User memory: facts that a person stores about themselves; active ones are part of all of their chats. */

import { Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Pencil, Trash2, UserRound } from "lucide-react";
import {
  useChangeUserMemory,
  useCreateUserMemory,
  useDeleteUserMemory,
  type UserMemory,
  userMemoryQuery,
} from "@/api/user-memory";
import { Section } from "@/components/ui/section";
import { isAllowed } from "@/api/session";
import { useShell } from "@/components/hooks/shell-context";
import { TextButton } from "@/components/ui/text-button";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { drawerLists } from "@/texts/drawer-lists";
import { LineActions } from "../line-actions";
import { useSingleFlight } from "../use-single-flight";
import { LoadError, Skeletons } from "../loading-states";
import classes from "./lists.module.css";
import { useDraft } from "../drafts/use-draft";
import { withForm } from "../drafts/with-form";
import { type MemoryDraft, MemoryForm, NEW_MEMORY } from "./memory-form";

export function MemorySection() {
  const { data: memories, error, refetch } = useQuery(userMemoryQuery);
  const { me } = useShell();
  const editor = useDraft<UserMemory, MemoryDraft>("memory", me.workspace?.id ?? "");
  const { state } = editor;
  const mayWrite = isAllowed(me, "write");
  const words = drawerLists.memory;
  const active = memories?.filter(({ is_active: isActive }) => isActive).length;
  const at = memories?.findIndex(({ id }) => id === state?.base?.id) ?? -1;
  const rows = memories?.map((memory) => (
    <Memory key={memory.id} memory={memory} onEdit={() => editor.open(memory, draftOf(memory))} />
  ));
  const current = memories === undefined ? (state?.base ?? null) : (memories[at] ?? null);
  const form = mayWrite && state !== null && (
    <li key="form">
      <MemoryForm key={state.openedAt} editor={editor} state={state} current={current} />
    </li>
  );
  return (
    <Section
      name="memory"
      title={words.title}
      icon={UserRound}
      count={active === undefined ? "" : words.active(active)}
      forceOpen={form !== false}
      action={
        mayWrite && (
          <TextButton aria-label={words.addName} onClick={() => editor.open(null, NEW_MEMORY)}>
            {words.add}
          </TextButton>
        )
      }
    >
      {error && <LoadError onRetry={() => void refetch()} />}
      {!error && !memories && <Skeletons lines={2} />}
      {memories?.length === 0 && form === false && <p className={classes.none}>{words.empty}</p>}
      <ul className={classes.list}>
        {form === false ? rows : withForm(rows ?? [], form, at, state.base === null)}
      </ul>
    </Section>
  );
}

function draftOf({ type, key, content }: UserMemory): MemoryDraft {
  return { type, key, content };
}

function Memory({ memory, onEdit }: { memory: UserMemory; onEdit: () => void }) {
  const change = useChangeUserMemory();
  const remove = useDeletion();
  const mayWrite = isAllowed(useShell().me, "write");
  const { labels, memory: words } = drawerLists;
  const { key, content, type, is_active: isActive } = memory;
  const toggle = () => {
    if (!change.isPending)
      void change.mutateAsync({ memory, body: { is_active: !isActive } }).catch(toastProblem);
  };
  const actions = [
    { icon: Pencil, label: labels.edit, name: words.edit(key), run: onEdit },
    { icon: Trash2, label: labels.delete, name: words.remove(key), run: () => remove(memory) },
  ];
  return (
    <li className={classes.item}>
      <div className={classes.line}>
        <Switch
          className={classes.switch ?? ""}
          size="xs"
          aria-label={words.isActive(key)}
          checked={isActive}
          disabled={!mayWrite}
          onChange={toggle}
        />
        <span className={isActive ? classes.words : `${classes.words ?? ""} ${classes.off ?? ""}`}>
          {content}{" "}
          <span className={classes.quiet}>
            {[`${words.types[type]} “${key}”`, ...(isActive ? [] : [words.off])].join(", ")}
          </span>
        </span>
        {mayWrite && <LineActions label={drawerLists.summary.actions(content)} actions={actions} />}
      </div>
    </li>
  );
}

/** Undo creates it again. */
function useDeletion() {
  const { mutateAsync: create } = useCreateUserMemory();
  const { mutateAsync: remove } = useDeleteUserMemory();
  const singleFlight = useSingleFlight();
  return (memory: UserMemory) => {
    const { type, key, content, is_active } = memory;
    const run = () => void create({ type, key, content, is_active }).catch(toastProblem);
    const confirmation = () =>
      toast(drawerLists.memory.deleted, { action: { label: texts.common.undo, run } });
    singleFlight(() => remove(memory).then(confirmation, toastProblem));
  };
}
