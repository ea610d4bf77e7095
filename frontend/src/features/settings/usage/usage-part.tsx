/** The usage tab: a plot or table by day, and tables by purpose and model. */

import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { isAllowed } from "@/api/session";
import { type Usage, usageQuery } from "@/api/usage";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { Segmented } from "@/components/ui/segmented";
import { useShell } from "@/components/hooks/shell-context";
import { TextButton } from "@/components/ui/text-button";
import { utcDay } from "@/lib/format";
import { settings } from "@/texts/settings";
import { QueryBoundary } from "../query-boundary";
import shared from "../shared.module.css";
import type { Measure } from "./bars";
import { DayTable } from "./day-table";
import { Plot } from "./plot";
import { ModelTable, PurposeTable } from "./sums-table";
import classes from "./usage.module.css";

const words = settings.usage;

type Range = "7" | "30" | "90";

export function UsagePart() {
  const { me } = useShell();
  if (isAllowed(me, "read_usage")) return <Overview />;
  return (
    <section className={shared.block}>
      <h2>{words.hiddenTitle}</h2>
      <p className={shared.told}>{words.hidden}</p>
    </section>
  );
}

function Overview() {
  const [range, setRange] = useState<Range>("30");
  const [measure, setMeasure] = useState<Measure>("tokens");
  const query = useQuery(usageQuery(Number(range)));
  return (
    <>
      <section className={shared.block}>
        <div className={classes.head}>
          <h2>{words.title}</h2>
          <Segmented label={words.range} value={range} options={optionsOf(words.days)} onChange={setRange} />
          <Segmented
            label={words.measure}
            value={measure}
            options={optionsOf(words.measures)}
            onChange={setMeasure}
          />
        </div>
        <QueryBoundary query={query}>{(usage) => <Days usage={usage} measure={measure} />}</QueryBoundary>
      </section>
      {query.data && <Parts usage={query.data} />}
    </>
  );
}

function Days({ usage, measure }: { usage: Usage; measure: Measure }) {
  const [isTable, setTable] = useState(false);
  const table = useId();
  const calls = usage.days.reduce((sum, day) => sum + day.calls, 0);
  return (
    <>
      {calls === 0 ? (
        <p className={shared.told}>{words.nothing}</p>
      ) : (
        <Plot days={usage.days} today={usage.today} measure={measure} />
      )}
      <div>
        <TextButton aria-expanded={isTable} aria-controls={table} onClick={() => setTable(!isTable)}>
          {isTable ? words.asPlot : words.asTable}
        </TextButton>
      </div>
      <div id={table} hidden={!isTable}>
        {isTable && <DayTable days={usage.days} />}
      </div>
      <p className={shared.hint}>{words.source(utcDay(usage.prices_as_of))}</p>
      {usage.unpriced_calls > 0 && (
        <InlineAlert tone="warn">{words.unpricedTold(usage.unpriced_calls)}</InlineAlert>
      )}
    </>
  );
}

function Parts({ usage }: { usage: Usage }) {
  return (
    <>
      <section className={shared.block}>
        <h2 id="by-purpose">{words.byPurpose}</h2>
        <PurposeTable rows={usage.by_purpose} label="by-purpose" />
      </section>
      <section className={shared.block}>
        <h2 id="by-model">{words.byModel}</h2>
        <ModelTable rows={usage.by_model} label="by-model" />
      </section>
    </>
  );
}

function optionsOf<Name extends string | number>(names: Record<Name, string>) {
  return Object.entries(names).map(([value, label]) => ({
    value: value as `${Name}`,
    label: label as string,
  }));
}
