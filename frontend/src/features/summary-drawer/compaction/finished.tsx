/** A finished compaction: what it freed and changed, with an undo. */

import { Button } from "@mantine/core";
import { Undo2 } from "lucide-react";
import { NumberWithSource } from "@/components/ui/number-with-source";
import { TextButton } from "@/components/ui/text-button";
import { count, percent } from "@/lib/format";
import { texts } from "@/texts";
import { useDrawer } from "../drawer-context";
import shared from "../shared.module.css";
import classes from "./compaction.module.css";
import { useUndo } from "./use-undo";

export function Finished() {
  const { run, navigate, canWrite } = useDrawer();
  const { undo, isPending } = useUndo();
  const done = run.detail;
  const words = texts.drawer.finished;
  if (done === null) return null;
  const { tokens_before: before, tokens_after: after, base_version: base, version } = done;
  const freed = (before ?? 0) - (after ?? 0);
  return (
    <section className={shared.block} aria-label={texts.drawer.history.compactions}>
      <div className={shared.row}>
        <p className={shared.key}>{freed > 0 ? words.freed(freed) : words.renewed}</p>
        <span className={shared.meta}>{words.counted(secondsOf(done.started_at, done.finished_at))}</span>
      </div>
      <dl className={classes.figures}>
        {before !== null && after !== null && (
          <div>
            <dt>{words.live}</dt>
            <dd>
              <NumberWithSource value={before} source="estimated" /> →{" "}
              <NumberWithSource value={after} source="estimated" />
            </dd>
          </div>
        )}
        {done.preservation_ratio !== null && (
          <div>
            <dt>{words.size}</dt>
            <dd>
              <NumberWithSource value={done.preservation_ratio} source="estimated" form={percent} />
            </dd>
          </div>
        )}
        {done.compacted_from !== null && done.compacted_through !== null && (
          <div>
            <dt>{words.folded}</dt>
            <dd>{words.foldedRange(done.compacted_count, done.compacted_from, done.compacted_through)}</dd>
          </div>
        )}
      </dl>
      {done.fallback_reason !== "" && <p>{texts.drawer.history.fallbackReason(done.fallback_reason)}</p>}
      <div className={classes.actions}>
        {base !== null && version !== null && (
          <TextButton
            onClick={() => navigate({ name: "comparison", from: base, to: version, back: "context" })}
          >
            {words.changes}
          </TextButton>
        )}
        {canWrite && (
          <>
            <Button
              size="xs"
              leftSection={<Undo2 size={14} strokeWidth={1.75} aria-hidden="true" />}
              loading={isPending}
              onClick={() => undo(done)}
            >
              {words.undo}
            </Button>
            <span className={shared.meta}>{words.undoWhat(base ?? 0, done.compacted_count)}</span>
          </>
        )}
      </div>
    </section>
  );
}

function secondsOf(from: string | null, to: string | null): string {
  if (from === null || to === null) return count(0);
  return (Math.max(0, Date.parse(to) - Date.parse(from)) / 1000).toFixed(1);
}
