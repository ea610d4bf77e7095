/** What a day may cost: how far today is, the limits, and the switch that sends nothing to a model any more. */

import { useQuery } from "@tanstack/react-query";
import { policyQuery } from "@/api/policy";
import { isAllowed } from "@/api/session";
import { useShell } from "@/components/hooks/shell-context";
import { settings } from "@/texts/settings";
import { Awaiting } from "../query-boundary";
import shared from "../shared.module.css";
import { Ceilings } from "./ceilings";
import { RecallOnly } from "./recall-only";
import { Today } from "./today";

const words = settings.limits;

export function LimitsPart() {
  const { me } = useShell();
  const policy = useQuery({ ...policyQuery, staleTime: 0 });
  return (
    <>
      <Today />
      <section className={shared.block}>
        <h2>{words.daily}</h2>
        {!isAllowed(me, "manage_workspace") && <p className={shared.told}>{words.mayNotChange}</p>}
        {isAllowed(me, "manage_workspace") && (
          <Awaiting query={policy}>{(data) => <Ceilings policy={data} />}</Awaiting>
        )}
      </section>
      <section className={shared.block}>
        <h2>{words.recall}</h2>
        <Awaiting query={policy}>{(data) => <RecallOnly policy={data} />}</Awaiting>
      </section>
    </>
  );
}
