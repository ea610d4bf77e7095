/** All compactions and all versions of the summary, with comparisons and an undo of the last compaction. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { type Compaction, compactionsQuery } from "@/api/compactions";
import { type SummaryVersion, useUndoCorrection, versionsQuery } from "@/api/summary";
import { NumberWithSource } from "@/components/ui/number-with-source";
import { Tag, type TagTone } from "@/components/ui/tag";
import { TextButton } from "@/components/ui/text-button";
import { toast, toastProblem } from "@/components/feedback/toast";
import { moment, percent } from "@/lib/format";
import { texts } from "@/texts";
import { drawerLists } from "@/texts/drawer-lists";
import { useUndo } from "../compaction/use-undo";
import { useDrawer } from "../drawer-context";
import shared from "../shared.module.css";
import { LoadError, Skeletons } from "../loading-states";
import classes from "./history.module.css";

const TONES: Record<Compaction["state"], TagTone> = {
  queued: "live",
  running: "live",
  succeeded: "ok",
  failed: "bad",
  undone: "plain",
  stopped: "plain",
};

export function History() {
  return (
    <>
      <Compactions />
      <Versions />
    </>
  );
}

function Compactions() {
  const { id } = useDrawer();
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(compactionsQuery(id));
  const runs = data?.pages.flatMap((page) => page.data) ?? [];
  const last = runs.find(({ state }) => state === "succeeded");
  const words = texts.drawer.history;
  return (
    <section>
      <h3 className={shared.heading}>{words.compactions}</h3>
      {error && <LoadError onRetry={() => void refetch()} />}
      {!error && !data && <Skeletons lines={4} />}
      {data && runs.length === 0 && <p className={classes.quiet}>{words.noCompactions}</p>}
      <ul className={classes.rows}>
        {runs.map((run) => (
          <Run key={run.id} run={run} isLast={run === last} />
        ))}
      </ul>
      {hasNextPage && <TextButton onClick={() => void fetchNextPage()}>{texts.drawer.more}</TextButton>}
    </section>
  );
}

function Run({ run, isLast }: { run: Compaction; isLast: boolean }) {
  const { navigate, canWrite } = useDrawer();
  const { undo, isPending } = useUndo();
  const words = texts.drawer.history;
  const { version, base_version: base, error } = run;
  const facts = [
    `${texts.drawer.compact.levels[run.level].toLowerCase()}, ${words.triggers[run.trigger]}`,
    run.model === "offline" || run.model === "" ? drawerLists.summary.byEngine : run.model,
    words.folded(run.compacted_count),
  ];
  return (
    <li className={classes.row}>
      <span className={classes.first}>
        {version !== null && <Tag>{drawerLists.summary.version(version)}</Tag>}
        <span>{moment(run.finished_at ?? run.created_at)}</span>
        <Tag tone={TONES[run.state]}>{words.states[run.state]}</Tag>
        <span className={classes.deeds}>
          {version !== null && base !== null && (
            <TextButton
              aria-label={words.compareName(base, version)}
              onClick={() => navigate({ name: "comparison", from: base, to: version, back: "history" })}
            >
              {words.compare}
            </TextButton>
          )}
          {isLast && canWrite && (
            <TextButton
              aria-label={words.undoName(version ?? 0)}
              disabled={isPending}
              onClick={() => undo(run)}
            >
              {texts.drawer.finished.undoShort}
            </TextButton>
          )}
        </span>
      </span>
      <span className={classes.quiet}>{facts.join(" · ")}</span>
      <Figures run={run} />
      {run.fallback_reason !== "" && <span>{words.fallbackReason(run.fallback_reason)}</span>}
      {error !== "" && <span className={classes.quiet}>{error}</span>}
    </li>
  );
}

function Figures({
  run: { tokens_before: before, tokens_after: after, preservation_ratio: ratio },
}: {
  run: Compaction;
}) {
  if (before === null || after === null) return null;
  const words = texts.drawer.history;
  return (
    <span className={classes.quiet}>
      <NumberWithSource value={before} source="estimated" /> →{" "}
      <NumberWithSource value={after} source="estimated" /> {words.live}
      {[...(ratio === null ? [] : [words.size(percent(ratio))]), words.counted].map((fact) => ` · ${fact}`)}
    </span>
  );
}

function Versions() {
  const { id } = useDrawer();
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(versionsQuery(id));
  const versions = data?.pages.flatMap((page) => page.data) ?? [];
  const words = texts.drawer.history;
  return (
    <section>
      <h3 className={shared.heading}>
        {words.versions} <span className={shared.meta}>{versions.length > 0 && words.tokensCounted}</span>
      </h3>
      {error && <LoadError onRetry={() => void refetch()} />}
      {!error && !data && <Skeletons lines={4} />}
      {data && versions.length === 0 && <p className={classes.quiet}>{words.noVersions}</p>}
      <ul className={classes.rows}>
        {versions.map((version, index) => (
          <Version key={version.version} version={version} isNewest={index === 0} />
        ))}
      </ul>
      {hasNextPage && <TextButton onClick={() => void fetchNextPage()}>{texts.drawer.more}</TextButton>}
    </section>
  );
}

function Version({ version: origin, isNewest }: { version: SummaryVersion; isNewest: boolean }) {
  const { navigate, canWrite } = useDrawer();
  const words = texts.drawer.history;
  const { version, cause, undone, covers_through: through } = origin;
  const facts = [
    words.causes[cause] ?? cause,
    texts.drawer.tokens(origin.summary_tokens),
    ...(through === null ? [] : [words.covers(through)]),
  ];
  return (
    <li className={classes.row}>
      <span className={classes.first}>
        <Tag>{drawerLists.summary.version(version)}</Tag>
        <span>{moment(origin.created_at)}</span>
        {isNewest && <Tag tone="ok">{words.inUse}</Tag>}
        {undone && <Tag>{words.states.undone}</Tag>}
        <span className={classes.deeds}>
          <TextButton
            aria-label={words.compareName(version - 1, version)}
            onClick={() => navigate({ name: "comparison", from: version - 1, to: version, back: "history" })}
          >
            {words.compare}
          </TextButton>
          {isNewest && cause === "correction" && canWrite && <UndoCorrection version={version} />}
        </span>
      </span>
      <span className={classes.quiet}>{facts.join(" · ")}</span>
    </li>
  );
}

/** Only while it is the newest version. */
function UndoCorrection({ version }: { version: number }) {
  const { id } = useDrawer();
  const { mutateAsync: undo, isPending } = useUndoCorrection(id);
  const undone = () => toast(drawerLists.summary.undone, { tone: "ok" });
  return (
    <TextButton
      aria-label={texts.drawer.history.undoCorrection(version)}
      disabled={isPending}
      onClick={() => void undo({ version }).then(undone, toastProblem)}
    >
      {texts.common.undo}
    </TextButton>
  );
}
