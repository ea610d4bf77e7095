/** User memory: what a person wrote down about themselves; what is active goes with every chat of theirs. */

import { Switch } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Pencil, Trash2, UserRound } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { keys } from "@/api/keys";
import {
  useChangeUserMemory,
  useCreateUserMemory,
  useDeleteUserMemory,
  type UserMemory,
  userMemoryQuery,
} from "@/api/user-memory";
import { Section } from "@/components/section";
import { TextButton } from "@/components/text-button";
import { toast, toastProblem } from "@/components/toast";
import { texts } from "@/texts";
import { useDrawer } from "../drawer-context";
import { LineActions } from "../line-actions";
import { NotLoaded, Skeletons } from "../states";
import classes from "./lists.module.css";
import { MemoryForm } from "./memory-form";

export function MemorySection() {
  const { data: memories, error, refetch } = useQuery(userMemoryQuery);
  useContextKeptUp(memories);
  const [writing, setWriting] = useState<UserMemory | "new" | null>(null);
  const words = texts.drawer.memory;
  const end = () => setWriting(null);
  const old = writing === "new" ? null : writing;
  const isGone = old !== null && memories?.every(({ id }) => id !== old.id);
  const active = memories?.filter(({ is_active: isActive }) => isActive).length;
  return (
    <Section
      name="memory"
      title={words.title}
      icon={UserRound}
      count={active === undefined ? "" : words.active(active)}
      forceOpen={writing !== null}
      action={
        <TextButton aria-label={words.addName} onClick={() => setWriting("new")}>
          {words.add}
        </TextButton>
      }
    >
      {error && <NotLoaded onRetry={() => void refetch()} />}
      {!error && !memories && <Skeletons lines={2} />}
      {writing === "new" && <MemoryForm old={null} present={null} onEnd={end} />}
      {memories?.length === 0 && writing === null && <p className={classes.none}>{words.empty}</p>}
      <ul className={classes.list}>
        {memories?.map((memory) =>
          memory.id === old?.id ? (
            <li key={memory.id}>
              <MemoryForm old={old} present={memory} onEnd={end} />
            </li>
          ) : (
            <Memory key={memory.id} memory={memory} onEdit={() => setWriting(memory)} />
          ),
        )}
      </ul>
      {isGone && <MemoryForm old={null} first={old} present={null} onEnd={end} />}
    </Section>
  );
}

/** It stands in the pack: when it changes in another browser, the pack is another too. */
function useContextKeptUp(memories: UserMemory[] | undefined): void {
  const { id } = useDrawer();
  const client = useQueryClient();
  const known = useRef(memories);
  useEffect(() => {
    if (known.current !== undefined && known.current !== memories)
      void client.invalidateQueries({ queryKey: keys.context(id) });
    known.current = memories;
  }, [client, id, memories]);
}

function Memory({ memory, onEdit }: { memory: UserMemory; onEdit: () => void }) {
  const change = useChangeUserMemory();
  const remove = useDeletion();
  const { deeds, memory: words } = texts.drawer;
  const { key, content, type, is_active: isActive } = memory;
  const turn = () => {
    if (!change.isPending)
      void change.mutateAsync({ memory, body: { is_active: !isActive } }).catch(toastProblem);
  };
  const actions = [
    { icon: Pencil, label: deeds.edit, name: words.edit(key), run: onEdit },
    { icon: Trash2, label: deeds.delete, name: words.remove(key), run: () => remove(memory) },
  ];
  return (
    <li className={classes.item}>
      <div className={classes.line}>
        <Switch
          className={classes.switch ?? ""}
          size="xs"
          aria-label={words.isActive(key)}
          checked={isActive}
          onChange={turn}
        />
        <span className={isActive ? classes.words : `${classes.words ?? ""} ${classes.off ?? ""}`}>
          {content}{" "}
          <span className={classes.quiet}>
            {[`${words.types[type]} “${key}”`, ...(isActive ? [] : [words.off])].join(", ")}
          </span>
        </span>
        <LineActions label={texts.drawer.summary.actions(content)} actions={actions} />
      </div>
    </li>
  );
}

/** Undo writes it down again. */
function useDeletion() {
  const { mutateAsync: create } = useCreateUserMemory();
  const { mutateAsync: remove } = useDeleteUserMemory();
  return ({ id, type, key, content, is_active }: UserMemory) => {
    const run = () => void create({ type, key, content, is_active }).catch(toastProblem);
    const said = () => toast(texts.drawer.memory.deleted, { action: { label: texts.common.undo, run } });
    void remove(id).then(said, toastProblem);
  };
}
