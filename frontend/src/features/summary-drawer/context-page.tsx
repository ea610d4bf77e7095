/** The drawer's first page: usage, summary, pins, memory, what was remembered, exclusions and forecast. */

import { TextButton } from "@/components/ui/text-button";
import { texts } from "@/texts";
import { drawerLists } from "@/texts/drawer-lists";
import { packing } from "@/texts/drawer-pack";
import { useQuery } from "@tanstack/react-query";
import { contextQuery } from "@/api/context";
import { effective, policyQuery } from "@/api/policy";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { Failed } from "./compaction/failed";
import { Finished } from "./compaction/finished";
import { Running } from "./compaction/running";
import { useDrawer } from "./drawer-context";
import { ExclusionsSection } from "./lists/exclusions-section";
import { MemorySection } from "./lists/memory-section";
import { PinsSection } from "./lists/pins-section";
import { RememberedSection } from "./lists/remembered-section";
import shared from "./shared.module.css";
import { SummarySection } from "./summary/summary-section";
import { Forecast } from "./usage/forecast";
import { SizeAfterCompaction } from "./usage/size";
import { Usage } from "./usage/usage";

export function ContextPage() {
  const { navigate, run, view } = useDrawer();
  const isFresh = view?.state.health.status === "compacted" && run.state === "succeeded";
  return (
    <>
      <div className={shared.notes}>
        <Flags />
        {run.state === "failed" && <Failed />}
      </div>
      {run.isUnderway && <Running />}
      {isFresh && <Finished />}
      {!run.isUnderway && <Usage />}
      {!run.isUnderway && <Forecast />}
      <SizeAfterCompaction />
      <SummarySection />
      <h2 className={shared.heading}>{drawerLists.always}</h2>
      <PinsSection />
      <MemorySection />
      <RememberedSection />
      <h2 className={shared.heading}>{drawerLists.never}</h2>
      <ExclusionsSection />
      <TextButton onClick={() => navigate({ name: "pack" })}>{packing.pack.open}</TextButton>
    </>
  );
}

/** Notices about disabled features. */
function Flags() {
  const { id } = useDrawer();
  const { data: pack } = useQuery(contextQuery(id));
  const { data: policy } = useQuery(policyQuery);
  if (pack?.metadata.engine !== "enabled" || policy === undefined || effective(policy).auto_compact)
    return null;
  return <InlineAlert tone="info">{texts.drawer.compact.off}</InlineAlert>;
}
