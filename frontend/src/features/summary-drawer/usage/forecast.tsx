/** The forecast of the next compaction, and the history of live tokens. */

import { useQuery } from "@tanstack/react-query";
import { contextQuery } from "@/api/context";
import { seriesQuery } from "@/api/series";
import { NumberWithSource } from "@/components/ui/number-with-source";
import { texts } from "@/texts";
import { forecast } from "@/texts/drawer-forecast";
import { useDrawer } from "../drawer-context";
import shared from "../shared.module.css";
import { notDueText } from "../reasons";
import { LoadError } from "../loading-states";
import { Chart } from "./chart";

export function Forecast() {
  const { id, view } = useDrawer();
  const { data: pack } = useQuery(contextQuery(id));
  const { data: series, error, refetch } = useQuery(seriesQuery(id));
  if (pack === undefined || pack.metadata.engine === "disabled") return null;
  const turns = view?.state.health.turns_until_compaction ?? null;
  const perTurn = view?.state.health.numbers["tokens_per_turn"]?.value ?? 0;
  const { not_due_reason: notDue } = pack.metadata;
  const reason = notDue === null ? "" : texts.drawer.notDue.now(notDueText(notDue));
  const words = forecast;
  const isPartly = series?.points.some(({ source }) => source === "estimated") === true;
  return (
    <section className={shared.block} aria-label={forecast.basis}>
      <div className={shared.row}>
        <p className={shared.strong}>
          <Until turns={turns} reason={reason} />
        </p>
        <span className={shared.meta}>{turns !== null && turns > 0 ? words.basis : ""}</span>
      </div>
      {series && series.points.length > 1 && (
        <Chart
          series={series}
          live={view?.state.counts.live_tokens ?? pack.metadata.live_tokens}
          threshold={pack.metadata.limits.thresholds.light}
          turns={turns}
          perTurn={perTurn}
        />
      )}
      {error && <LoadError onRetry={() => void refetch()} />}
      {isPartly && <p className={shared.meta}>{words.partly}</p>}
      {turns !== null && turns > 0 && reason !== "" && <p className={shared.meta}>{reason}</p>}
    </section>
  );
}

/** The reason is shown if no compaction is expected soon. */
function Until({ turns, reason }: { turns: number | null; reason: string }) {
  const words = forecast;
  if (turns !== null && turns > 0)
    return <NumberWithSource value={turns} source="estimated" form={words.turns} />;
  if (reason !== "") return reason;
  return turns === null ? words.none : words.soon;
}
