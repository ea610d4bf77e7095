/** The limits tab: today's spending, the daily limits, and no-model mode. */

import { useQuery } from "@tanstack/react-query";
import { policyQuery } from "@/api/policy";
import { isAllowed } from "@/api/session";
import { useShell } from "@/components/hooks/shell-context";
import { settings } from "@/texts/settings";
import { QueryBoundary } from "../query-boundary";
import shared from "../shared.module.css";
import { Ceilings } from "./ceilings";
import { NoModelMode } from "./recall-only";
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
          <QueryBoundary query={policy}>{(data) => <Ceilings policy={data} />}</QueryBoundary>
        )}
      </section>
      <section className={shared.block}>
        <h2>{words.recall}</h2>
        <QueryBoundary query={policy}>{(data) => <NoModelMode policy={data} />}</QueryBoundary>
      </section>
    </>
  );
}
