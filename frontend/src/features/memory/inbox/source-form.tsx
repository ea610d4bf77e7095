/** Decide about everything that came from one source: decline what waits, or take what is in use out of use. */

import { Button, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  type InboxItem,
  type MemoryOrigin,
  quarantineQuery,
  type SourceAction,
  useDeclineSource,
  useQuarantine,
} from "@/api/inbox";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { Choices } from "@/components/ui/choices";
import { inbox } from "@/texts/inbox";
import { FormActions, InlineForm } from "../form";
import classes from "./inbox.module.css";
import { originsOf } from "./item-words";
import type { Decisions } from "./use-decisions";

const words = inbox.from;

interface Props {
  item: InboxItem;
  decisions: Decisions;
  onClose: () => void;
}

export function SourceForm({ item, decisions, onClose }: Props) {
  const origins = originsOf(item);
  const [place, setPlace] = useState(0);
  const [isQuarantine, setQuarantine] = useState(false);
  const { mutateAsync, isPending } = useDeclineSource();
  const source = origins[place]?.source;
  if (source === undefined) return null;
  const decline = () => {
    const declined = (decision: Parameters<Decisions["settled"]>[0]) => {
      onClose();
      if (decision.ids.length === 0) toast(words.none);
      else decisions.settled(decision, "decline", item, inbox.done.decline(decision.ids.length));
    };
    void mutateAsync(source).then(declined, toastProblem);
  };
  return (
    <InlineForm title={words.title} onSubmit={decline} onCancel={onClose}>
      <NativeSelect
        label={words.choose}
        value={String(place)}
        data={origins.map(({ name }, index) => ({ value: String(index), label: name }))}
        onChange={(event) => setPlace(Number(event.currentTarget.value))}
      />
      {isQuarantine ? (
        <Quarantine source={source} onUndo={decisions.undo} onClose={onClose} />
      ) : (
        <FormActions onCancel={onClose}>
          <Button type="submit" loading={isPending}>
            {words.decline}
          </Button>
          <Button onClick={() => setQuarantine(true)}>{words.quarantine}</Button>
        </FormActions>
      )}
    </InlineForm>
  );
}

interface QuarantineProps {
  source: MemoryOrigin;
  onUndo: (changeId: string) => void;
  onClose: () => void;
}

/** The count of a dry run, and the confirmation. */
function Quarantine({ source, onUndo, onClose }: QuarantineProps) {
  const [action, setAction] = useState<SourceAction>("quarantine");
  const { data: effect } = useQuery(quarantineQuery(source, action));
  const { mutateAsync, isPending } = useQuarantine();
  const act = () => {
    const done = ({ affected, change_id: changeId }: { affected: number; change_id: string | null }) => {
      onClose();
      const undo = changeId !== null && { action: { label: texts.common.undo, run: () => onUndo(changeId) } };
      toast(words.done(affected, action), { tone: "ok", ...undo });
    };
    void mutateAsync({ source, action }).then(done, toastProblem);
  };
  const isNothing = effect !== undefined && effect.affected + effect.detached === 0;
  return (
    <div className={classes.quarantine} role="group" aria-label={words.quarantineTitle}>
      <Choices<SourceAction>
        label={words.action}
        value={action}
        options={[
          { value: "quarantine", label: words.actions.quarantine },
          { value: "archive", label: words.actions.archive },
        ]}
        takesFocus
        onChange={setAction}
      />
      <p className={classes.hint} role="status">
        {effect === undefined && words.counting}
        {isNothing && words.nothing}
        {effect !== undefined &&
          !isNothing &&
          words.effect(effect.affected, action) +
            words.detached(effect.detached) +
            words.restored(effect.restored)}
      </p>
      <FormActions onCancel={onClose}>
        <Button
          variant="filled"
          loading={isPending}
          disabled={effect === undefined || isNothing}
          onClick={act}
        >
          {words.confirm}
        </Button>
      </FormActions>
    </div>
  );
}
