/** The usage of the context: total, bar with threshold, and legend. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { contextQuery } from "@/api/context";
import { budgetFrom, effective, policyQuery } from "@/api/policy";
import { ContextBar, type Layer } from "@/components/ui/context-bar";
import { PackTokens } from "../pack-tokens";
import { texts } from "@/texts";
import { usePlan } from "../compaction/use-plan";
import { useDrawer } from "../drawer-context";
import { PackError, Skeletons } from "../loading-states";
import shared from "../shared.module.css";
import { CountedBy } from "./counted-by";
import { Legend } from "./legend";
import { partsAfter, partsOf, livePosition, usedOf } from "./parts";
import { PartsTable } from "./parts-table";

export function Usage() {
  const { id } = useDrawer();
  const [chosen, setChosen] = useState<Layer | null>(null);
  const { data: pack, error, refetch } = useQuery(contextQuery(id));
  const { data: policy } = useQuery(policyQuery);
  const after = useAfter();
  if (error) return <PackError error={error} onRetry={() => void refetch()} />;
  if (!pack) return <Skeletons lines={5} isBar />;
  const { metadata } = pack;
  const parts = partsOf(metadata);
  const live = metadata.limits.thresholds.light;
  const isAutoCompacting =
    policy !== undefined && effective(policy).auto_compact && metadata.engine === "enabled";
  return (
    <section className={shared.block} aria-label={texts.drawer.usage.title}>
      <p className={shared.row}>
        <span>
          <span className={shared.key}>
            <PackTokens value={metadata.tokens.total} />
          </span>{" "}
          <span className={shared.quiet}>{texts.drawer.usage.of(metadata.budget)}</span>
        </span>
        {policy && (
          <span className={shared.meta}>
            {texts.drawer.usage.counted(texts.drawer.usage.from[budgetFrom(metadata.budget_source, policy)])}
          </span>
        )}
      </p>
      <ContextBar
        parts={parts}
        limit={metadata.budget}
        threshold={isAutoCompacting ? { at: livePosition(parts, live), live } : null}
        after={after}
        onChoose={setChosen}
      />
      <Legend parts={parts} pack={pack} chosen={chosen} onChoose={setChosen} />
      {metadata.omitted.messages_before !== null && (
        <p className={shared.caption}>
          {texts.drawer.usage.leftOut.messages_before(metadata.omitted.messages_before)}
        </p>
      )}
      <CountedBy estimator={metadata.estimator} />
      <PartsTable parts={parts} limit={metadata.budget} />
    </section>
  );
}

/** The estimated result of a light compaction; just after one, the actual result. */
function useAfter(): { tokens: number; source: "counted" | "estimated" } | null {
  const { id, view, run } = useDrawer();
  const { data: pack } = useQuery(contextQuery(id));
  const plan = usePlan("light");
  if (view === null || pack?.metadata.engine !== "enabled") return null;
  const { total } = pack.metadata.tokens;
  if (view.state.health.status === "compacted" && !run.isUnderway)
    return { tokens: total, source: "counted" };
  if (plan === null) return null;
  const actual = usedOf(partsAfter(pack, plan));
  return actual < total ? { tokens: actual, source: "estimated" } : null;
}
