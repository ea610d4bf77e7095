/** Today's budget status with its reason, and the spending. */

import { useQuery } from "@tanstack/react-query";
import { isAllowed } from "@/api/session";
import { type SpendState, usageQuery, type UsageToday } from "@/api/usage";
import { useShell } from "@/components/hooks/shell-context";
import { Tag, type TagTone } from "@/components/ui/tag";
import { count, money, moment } from "@/lib/format";
import { settings } from "@/texts/settings";
import { QueryBoundary } from "../query-boundary";
import shared from "../shared.module.css";
import classes from "./limits.module.css";
import { SpendBar } from "./spend-bar";

const words = settings.limits;
const TONES: Record<SpendState, TagTone> = {
  open: "ok",
  warning: "warn",
  background_stopped: "warn",
  stopped: "bad",
  no_price: "bad",
  recall_only: "warn",
};

export function Today() {
  const { me } = useShell();
  return (
    <section className={shared.block}>
      <h2>{words.today}</h2>
      {isAllowed(me, "read_usage") ? (
        <Spent />
      ) : (
        <>
          {me.spending && <State {...me.spending} />}
          <p className={shared.told}>{words.hidden}</p>
        </>
      )}
    </section>
  );
}

function Spent() {
  const query = useQuery({ ...usageQuery(1), staleTime: 0 });
  return (
    <QueryBoundary query={query}>
      {({ today }) => (
        <>
          <State {...today} />
          <Bars today={today} />
          <p className={shared.hint}>{words.source}</p>
        </>
      )}
    </QueryBoundary>
  );
}

function State({ state, detail, resets_at: resetsAt }: Pick<UsageToday, "state" | "detail" | "resets_at">) {
  return (
    <p className={classes.state}>
      <Tag tone={TONES[state]}>{words.states[state]}</Tag>
      {detail !== "" && <span>{detail}</span>}
      <span className={classes.resets}>{words.resets(moment(resetsAt))}</span>
    </p>
  );
}

function Bars({ today }: { today: UsageToday }) {
  const marks = { warning: today.warning_percent, background: today.background_percent };
  return (
    <div className={classes.bars}>
      <SpendBar
        label={words.tokens}
        spent={today.tokens}
        ceiling={today.token_ceiling}
        form={count}
        marks={marks}
      />
      <SpendBar
        label={words.cost}
        spent={today.cost_micros}
        ceiling={today.cost_ceiling_micros}
        form={money}
        marks={marks}
      />
      {(today.token_ceiling ?? today.cost_ceiling_micros) !== null && (
        <p className={classes.legend}>
          <span data-mark="warning">{words.warningAt(marks.warning)}</span>
          <span data-mark="background">{words.backgroundAt(marks.background)}</span>
        </p>
      )}
    </div>
  );
}
