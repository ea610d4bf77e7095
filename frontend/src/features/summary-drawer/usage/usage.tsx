/** How full the context is: the number, the bar with its threshold, and the parts in words. */

import { useQuery } from "@tanstack/react-query";
import { Ruler } from "lucide-react";
import { useState } from "react";
import { contextQuery } from "@/api/context";
import { budgetFrom, effective, policyQuery } from "@/api/policy";
import { Problem } from "@/api/problems";
import { ContextBar, type Layer } from "@/components/context-bar";
import { Note } from "@/components/note";
import { Num } from "@/components/number";
import { texts } from "@/texts";
import { expected } from "../compaction/expected";
import { useDrawer } from "../drawer-context";
import { NotLoaded, Skeletons } from "../states";
import shared from "../shared.module.css";
import { Legend } from "./legend";
import { partsOf, placeOfLive } from "./parts";
import { PartsTable } from "./parts-table";

export function Usage() {
  const { id } = useDrawer();
  const [chosen, setChosen] = useState<Layer | null>(null);
  const { data: pack, error, refetch } = useQuery(contextQuery(id));
  const { data: policy } = useQuery(policyQuery);
  const after = useAfter(pack?.metadata.tokens.total ?? 0);
  if (error instanceof Problem && error.status === 422)
    return <Note tone="bad" icon={Ruler} title={error.message} code={error.code} role="status" />;
  if (error) return <NotLoaded onRetry={() => void refetch()} />;
  if (!pack) return <Skeletons lines={5} bar />;
  const { metadata } = pack;
  const parts = partsOf(metadata);
  const live = metadata.limits.thresholds.light;
  const compactsItself =
    policy !== undefined && effective(policy).auto_compact && metadata.engine === "enabled";
  return (
    <section className={shared.block} aria-label={texts.drawer.usage.title}>
      <p className={shared.row}>
        <span>
          <span className={shared.key}>
            <Num value={metadata.tokens.total} source="counted" />
          </span>{" "}
          <span className={shared.quiet}>{texts.drawer.usage.of(metadata.budget)}</span>
        </span>
        {policy && (
          <span className={shared.meta}>
            {texts.drawer.usage.counted(texts.drawer.usage.from[budgetFrom(policy)])}
          </span>
        )}
      </p>
      <ContextBar
        parts={parts}
        limit={metadata.budget}
        threshold={compactsItself ? { at: placeOfLive(parts, live), live } : null}
        after={after}
        onChoose={setChosen}
      />
      <Legend parts={parts} pack={pack} chosen={chosen} onChoose={setChosen} />
      {metadata.left_out.messages_before !== null && (
        <p className={shared.caption}>
          {texts.drawer.usage.leftOut.messages_before(metadata.left_out.messages_before)}
        </p>
      )}
      <PartsTable parts={parts} limit={metadata.budget} />
    </section>
  );
}

/** What a light compaction would leave; just after one, what it left. */
function useAfter(total: number): { tokens: number; source: "counted" | "estimated" } | null {
  const { id, view, run } = useDrawer();
  const { data: pack } = useQuery(contextQuery(id));
  const { data: policy } = useQuery(policyQuery);
  if (view === null || pack?.metadata.engine !== "enabled" || policy === undefined) return null;
  if (view.state.health.word === "Compacted" && !run.isUnderway) return { tokens: total, source: "counted" };
  const { frees } = expected(view.state, "light", effective(policy), pack.metadata.limits);
  return frees > 0 && frees < total ? { tokens: total - frees, source: "estimated" } : null;
}
