/** One revision: what was done, by whom, why; what differs; and the way back. */

import clsx from "clsx";
import { useState } from "react";
import { type Revision, useUndoChange } from "@/api/memories";
import { isProblem } from "@/api/problems";
import { Confirm } from "@/components/feedback/confirm";
import { Note } from "@/components/feedback/inline-alert";
import { useShell } from "@/components/hooks/shell-context";
import { Tag } from "@/components/ui/tag";
import { TextButton } from "@/components/ui/text-button";
import { problemWords, toast } from "@/components/feedback/toast";
import { moment } from "@/lib/format";
import { memory } from "@/texts/memory";
import shared from "../shared.module.css";
import classes from "./revisions.module.css";
import { WholeDifference } from "./whole-difference";

const words = memory.revisions;

interface Props {
  revision: Revision;
  nodeId: string;
  mayUndo: boolean;
}

export function RevisionRow({ revision, nodeId, mayUndo }: Props) {
  const [isShown, setShown] = useState(false);
  const { number, operation, reason, undone, undoes } = revision;
  const deed = words.operations[operation] ?? operation;
  const show = isShown ? words.hide : words.show;
  return (
    <li className={clsx(classes.revision, undone && classes.undone)}>
      <p className={classes.what}>
        <strong>r{number}</strong> {reason === "" ? deed : reason}
        {undone && <Tag>{words.undone}</Tag>}
      </p>
      <p className={shared.hint}>
        {reason !== "" && `${deed} · `}
        {words.by(useWho(revision), moment(revision.created_at))}
      </p>
      <div className={classes.ways}>
        <TextButton
          aria-expanded={isShown}
          aria-label={words.name(show, number)}
          onClick={() => setShown(!isShown)}
        >
          {show}
        </TextButton>
        {mayUndo && !undone && <Undo revision={revision} nodeId={nodeId} isAgain={undoes !== null} />}
      </div>
      {isShown && <WholeDifference nodeId={nodeId} revision={revision} />}
    </li>
  );
}

function useWho({ actor_id, actor_name, made_by }: Revision): string {
  const { me } = useShell();
  if (made_by !== "") return made_by;
  if (actor_id === me.user.id) return words.you;
  return actor_name === "" ? words.nobody : actor_name;
}

interface UndoProps {
  revision: Revision;
  nodeId: string;
  /** It takes back an undo: so it does again what that one took back. */
  isAgain: boolean;
}

/** Only what puts a memory out of use is asked for again. */
function Undo({ revision: { change_id, number }, nodeId, isAgain }: UndoProps) {
  const [isAsked, setAsked] = useState(false);
  const { mutateAsync, isPending, error } = useUndoChange(nodeId);
  const takesAway = number === 1;
  const undo = () => {
    const undone = () => {
      setAsked(false);
      toast(words.wasUndone, { tone: "ok" });
    };
    void mutateAsync(change_id).then(undone, () => setAsked(false));
  };
  const name = isAgain ? words.again : words.undo;
  return (
    <>
      {!isAsked && (
        <TextButton
          aria-label={words.name(name, number)}
          disabled={isPending}
          onClick={takesAway ? () => setAsked(true) : undo}
        >
          {name}
        </TextButton>
      )}
      {isAsked && (
        <Confirm
          title={words.undoTitle}
          detail={words.undoDetail}
          deed={words.undoDeed}
          isPending={isPending}
          onDo={undo}
          onLeave={() => setAsked(false)}
        />
      )}
      {error && (
        <Note
          tone="warn"
          role="alert"
          {...(isProblem(error, "changed_since") && { title: words.changedSince })}
        >
          <p>{problemWords(error)}</p>
        </Note>
      )}
    </>
  );
}
