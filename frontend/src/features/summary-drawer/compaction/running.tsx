/** An active compaction: progress, stage and expected result; the chat is not blocked. */

import { useQuery } from "@tanstack/react-query";
import { Check, Circle, FoldVertical } from "lucide-react";
import { contextQuery } from "@/api/context";
import { effective, policyQuery } from "@/api/policy";
import { Strip } from "@/components/ui/context-bar";
import { Meter } from "@/components/ui/meter";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { NumberWithSource } from "@/components/ui/number-with-source";
import { PackTokens } from "../pack-tokens";
import { texts } from "@/texts";
import { useDrawer } from "../drawer-context";
import shared from "../shared.module.css";
import { partsAfter, partsOf, usedOf } from "../usage/parts";
import classes from "./compaction.module.css";
import { type StageName, stageStates } from "./stages";
import { usePlan } from "./use-plan";
import { useNow, useStageTimes } from "./use-stage-times";

const WORDS = { done: texts.drawer.run.done, now: texts.drawer.run.doing, next: texts.drawer.run.stages };
const ICONS = { done: Check, now: FoldVertical, next: Circle };

export function Running() {
  const { view, run } = useDrawer();
  const words = texts.drawer.run;
  const level = texts.drawer.compact.levels[run.detail?.level ?? "light"].toLowerCase();
  const version = view?.state.summary.version ?? 0;
  return (
    <section className={shared.block} aria-label={words.tag}>
      <div className={shared.row}>
        <p>
          <span className={shared.key}>{run.progress}%</span>{" "}
          <span className={shared.quiet}>
            {words.of(level)}
            {run.state === "queued" && `, ${words.waiting}`}
          </span>
        </p>
        <Elapsed />
      </div>
      <Meter
        role="progressbar"
        tone="live"
        value={run.progress}
        label={words.progress}
        text={`${run.progress}%`}
      />
      <Stages />
      <CompactionEstimate />
      <InlineAlert tone="info">{words.note(version)}</InlineAlert>
    </section>
  );
}

function Elapsed() {
  const { run } = useDrawer();
  const { data: policy } = useQuery(policyQuery);
  const now = useNow();
  const since = run.detail?.started_at;
  if (since == null || policy === undefined) return null;
  const seconds = Math.max(0, (now - Date.parse(since)) / 1000).toFixed(1);
  return (
    <span className={shared.meta}>
      {texts.drawer.run.elapsed(seconds, effective(policy).max_compaction_time_s)}
    </span>
  );
}

function Stages() {
  const { run } = useDrawer();
  const words = texts.drawer.run;
  const stages = stageStates(run.stage);
  const current = stages.find(({ state }) => state === "now")?.name ?? "reading";
  const now = useNow();
  const times = useStageTimes(run.id ?? "", current, now);
  return (
    <>
      <ol className={classes.stages}>
        {stages.map(({ name, state }, index) => {
          const Icon = ICONS[state];
          const until = times[stages[index + 1]?.name as StageName] ?? (state === "now" ? now : null);
          const from = times[name];
          return (
            <li
              key={name}
              className={classes.stage}
              data-state={state}
              aria-current={state === "now" && "step"}
            >
              <Icon size={16} strokeWidth={1.75} role="img" aria-label={words.states[state]} />
              {WORDS[state][name]}
              {from !== undefined && until !== null && (
                <span className={classes.stageTime}>
                  {words.seconds((Math.max(0, until - from) / 1000).toFixed(1))}
                </span>
              )}
            </li>
          );
        })}
      </ol>
      <span className={shared.hidden} role="status">
        {words.announce(words.doing[current])}
      </span>
    </>
  );
}

function CompactionEstimate() {
  const { id, run } = useDrawer();
  const { data: pack } = useQuery(contextQuery(id));
  const plan = usePlan(run.detail?.level ?? "light");
  if (pack === undefined || plan === null || plan.message_count === 0) return null;
  const { tokens } = pack.metadata;
  const after = partsAfter(pack, plan);
  const words = texts.drawer.run;
  return (
    <>
      <h3 className={shared.heading}>{words.expected}</h3>
      <div className={classes.result}>
        <span>{words.now}</span>
        <Strip parts={partsOf(pack.metadata)} />
        <PackTokens value={tokens.total} />
        <span>{words.after}</span>
        <Strip parts={after} />
        <NumberWithSource value={usedOf(after)} source="estimated" />
      </div>
      {usedOf(after) >= tokens.total && <p className={shared.caption}>{words.notSmaller}</p>}
    </>
  );
}
