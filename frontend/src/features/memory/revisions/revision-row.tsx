/** One revision: operation, actor, reason, difference and undo. */

import clsx from "clsx";
import { useState } from "react";
import { type Revision, useUndoChange } from "@/api/memories";
import { isProblem } from "@/api/problems";
import { Confirm } from "@/components/feedback/confirm";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { useShell } from "@/components/hooks/shell-context";
import { Tag } from "@/components/ui/tag";
import { TextButton } from "@/components/ui/text-button";
import { problemMessage, toast } from "@/components/feedback/toast";
import { moment } from "@/lib/format";
import { memory } from "@/texts/memory";
import shared from "../shared.module.css";
import classes from "./revisions.module.css";
import { FullDifference } from "./whole-difference";

const words = memory.revisions;

interface Props {
  revision: Revision;
  nodeId: string;
  mayUndo: boolean;
}

export function RevisionRow({ revision, nodeId, mayUndo }: Props) {
  const [isShown, setShown] = useState(false);
  const { number, operation, reason, undone, undoes } = revision;
  const operationName = words.operations[operation] ?? operation;
  const show = isShown ? words.hide : words.show;
  return (
    <li className={clsx(classes.revision, undone && classes.undone)}>
      <p className={classes.what}>
        <strong>r{number}</strong> {reason === "" ? operationName : reason}
        {undone && <Tag>{words.undone}</Tag>}
      </p>
      <p className={shared.hint}>
        {reason !== "" && `${operationName} · `}
        {words.by(useActorName(revision), moment(revision.created_at))}
      </p>
      <div className={classes.ways}>
        <TextButton
          aria-expanded={isShown}
          aria-label={words.name(show, number)}
          onClick={() => setShown(!isShown)}
        >
          {show}
        </TextButton>
        {mayUndo && !undone && <Undo revision={revision} nodeId={nodeId} isRedo={undoes !== null} />}
      </div>
      {isShown && <FullDifference nodeId={nodeId} revision={revision} />}
    </li>
  );
}

function useActorName({ actor_id, actor_name, made_by }: Revision): string {
  const { me } = useShell();
  if (made_by !== "") return made_by;
  if (actor_id === me.user.id) return words.you;
  return actor_name === "" ? words.someone : actor_name;
}

interface UndoProps {
  revision: Revision;
  nodeId: string;
  /** The revision is an undo, so undoing it is a redo. */
  isRedo: boolean;
}

/** Only an undo that archives the memory asks for confirmation. */
function Undo({ revision: { change_id, number }, nodeId, isRedo }: UndoProps) {
  const [isConfirming, setConfirming] = useState(false);
  const { mutateAsync, isPending, error } = useUndoChange(nodeId);
  const archives = number === 1;
  const undo = () => {
    const undone = () => {
      setConfirming(false);
      toast(archives ? words.wasArchived : isRedo ? words.wasRedone : words.wasUndone, { tone: "ok" });
    };
    void mutateAsync(change_id).then(undone, () => setConfirming(false));
  };
  const name = archives ? words.archive : isRedo ? words.again : words.undo;
  return (
    <>
      {!isConfirming && (
        <TextButton
          aria-label={words.name(name, number)}
          disabled={isPending}
          onClick={archives ? () => setConfirming(true) : undo}
        >
          {name}
        </TextButton>
      )}
      {isConfirming && (
        <Confirm
          title={words.undoTitle}
          detail={words.undoDetail}
          actionLabel={words.undoDeed}
          isPending={isPending}
          onConfirm={undo}
          onCancel={() => setConfirming(false)}
        />
      )}
      {error && (
        <InlineAlert
          tone="warn"
          role="alert"
          {...(isProblem(error, "changed_since") && { title: words.changedSince })}
        >
          <p>{problemMessage(error)}</p>
        </InlineAlert>
      )}
    </>
  );
}
