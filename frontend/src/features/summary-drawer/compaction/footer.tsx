/** The drawer's footer: compact now at a chosen level, or stop the active run. */

import { Button, Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ChevronUp, FoldVertical, Square, TriangleAlert } from "lucide-react";
import { type Level, useStopCompaction } from "@/api/compactions";
import { contextQuery } from "@/api/context";
import { isProblem } from "@/api/problems";
import { NumberWithSource } from "@/components/ui/number-with-source";
import { toast, toastProblem } from "@/components/feedback/toast";
import { percent } from "@/lib/format";
import { texts } from "@/texts";
import { useDrawer } from "../drawer-context";
import { useCompactNow } from "./use-compact-now";
import classes from "./compaction.module.css";
import { usePlan } from "./use-plan";

const LEVELS: readonly Level[] = ["light", "deep", "aggressive"];

export function DrawerFooter() {
  const { id, run, canWrite } = useDrawer();
  const { data: pack } = useQuery(contextQuery(id));
  if (!canWrite) return <p className={classes.said}>{texts.drawer.readOnly}</p>;
  if (pack?.metadata.engine === "disabled")
    return <p className={classes.said}>{texts.drawer.compact.engineOff}</p>;
  return run.isUnderway ? <StopRun /> : <CompactNow />;
}

function CompactNow() {
  const { compact, isPending } = useCompactNow();
  const isUseful = useIsUseful("light");
  const words = texts.drawer.compact;
  return (
    <div className={classes.foot}>
      <div className={classes.split}>
        <Button
          variant="filled"
          className={classes.now ?? ""}
          data-tour="compact"
          leftSection={<FoldVertical size={16} strokeWidth={1.75} aria-hidden="true" />}
          loading={isPending}
          disabled={!isUseful}
          onClick={() => compact("light")}
        >
          {words.now}
        </Button>
        <Menu position="top-start" width={300} withInitialFocusPlaceholder={false} withinPortal={false}>
          <Menu.Target>
            <Button className={classes.choose ?? ""} aria-label={words.choose} disabled={isPending}>
              <ChevronUp size={16} strokeWidth={1.75} aria-hidden="true" />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {LEVELS.map((level) => (
              <LevelItem key={level} level={level} onCompact={() => compact(level)} />
            ))}
          </Menu.Dropdown>
        </Menu>
      </div>
      <p className={classes.said}>
        {words.levels.light}. <FreedTokens level="light" /> {isUseful && words.undoStays}
      </p>
      <SizeWarning level="light" />
    </div>
  );
}

function LevelItem({ level, onCompact }: { level: Level; onCompact: () => void }) {
  const isUseful = useIsUseful(level);
  const words = texts.drawer.compact;
  return (
    <Menu.Item disabled={!isUseful} onClick={onCompact}>
      <span className={classes.level}>{words.levels[level]}</span> <FreedTokens level={level} />
      <span className={classes.what}>{words.what[level]}</span>
      <SizeWarning level={level} />
    </Menu.Item>
  );
}

/** Whether there are messages to compact, or a summary to refresh; true until it is known. */
function useIsUseful(level: Level): boolean {
  const { view } = useDrawer();
  const plan = usePlan(level);
  return plan?.message_count !== 0 || view?.state.summary.tokens !== 0;
}

function FreedTokens({ level }: { level: Level }) {
  const plan = usePlan(level);
  const isUseful = useIsUseful(level);
  const words = texts.drawer.compact;
  if (plan === null) return null;
  if (!isUseful) return <span>{words.nothingToCompact}</span>;
  if (plan.message_count === 0) return <span>{words.freesNothing}</span>;
  return (
    <span>
      {words.frees} <NumberWithSource value={plan.freed_tokens} source="estimated" /> {words.freesUnit}
    </span>
  );
}

/** Before a compaction that would leave less than the warning level. */
function SizeWarning({ level }: { level: Level }) {
  const { id } = useDrawer();
  const { data: pack } = useQuery(contextQuery(id));
  const plan = usePlan(level);
  const minimum = pack?.metadata.limits.preservation.minimum ?? 0;
  if (plan === null || plan.message_count === 0 || plan.preservation_ratio_after >= minimum) return null;
  return (
    <span className={classes.warning}>
      <TriangleAlert size={14} strokeWidth={1.75} aria-hidden="true" />
      {texts.drawer.compact.leaves(percent(plan.preservation_ratio_after), minimum)}
    </span>
  );
}

function StopRun() {
  const { id, run } = useDrawer();
  const { mutateAsync, isPending } = useStopCompaction(id);
  const words = texts.drawer.compact;
  const failed = (error: unknown) =>
    isProblem(error, "already_ended") ? toast(words.alreadyEnded) : toastProblem(error);
  const stop = () => {
    if (run.id !== null) void mutateAsync(run.id).catch(failed);
  };
  return (
    <div className={classes.foot}>
      <Button
        leftSection={<Square size={14} strokeWidth={1.75} aria-hidden="true" />}
        loading={isPending}
        disabled={run.id === null}
        onClick={stop}
      >
        {words.stop}
      </Button>
      <p className={classes.said}>{words.untilLast}</p>
    </div>
  );
}
