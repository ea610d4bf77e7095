/** The build of the pack: strategy, treatment of live messages, cache epoch, and the layers' shares. */

import { Split } from "lucide-react";
import type { Context, PackMetadata } from "@/api/context";
import { Section } from "@/components/ui/section";
import { moment, percent } from "@/lib/format";
import { packing } from "@/texts/drawer-pack";
import { epochText } from "../reasons";
import { CoverageBar } from "./coverage-bar";
import classes from "./share.module.css";
import { ShareTable } from "./share-table";

export function BudgetShare({ pack }: { pack: Context }) {
  const { metadata, layers } = pack;
  const words = packing.share;
  const isOff = metadata.engine === "disabled";
  return (
    <Section
      name="budget-share"
      title={words.title}
      icon={Split}
      count={isOff ? "" : words.strategies[metadata.strategy]}
    >
      <p className={classes.told}>{isOff ? words.engineOff : words.how[metadata.strategy]}</p>
      <p className={classes.told}>{words.filled(percent(metadata.fill_percent), metadata.free_tokens)}</p>
      <CoverageBar coverage={metadata.coverage} />
      <EpochLine epoch={metadata.epoch} />
      {!isOff && <StabilityLine stability={metadata.stability} />}
      <p className={classes.told}>{words.whole}</p>
      <ShareTable layers={layers} caption={metadata.epoch === null ? words.caption : words.captionOfEpoch} />
    </Section>
  );
}

function EpochLine({ epoch }: Pick<PackMetadata, "epoch">) {
  const words = packing.share;
  if (epoch === null) return null;
  return (
    <p className={classes.told}>
      {words.epoch(epoch.number, moment(epoch.began_at), epochText(epoch.reasons))}{" "}
      {epoch.is_new && words.beganNow} <span className={classes.quiet}>{words.epochIs}</span>
    </p>
  );
}

/** Rounded down, so that an incomplete share never reads 100 %. */
function StabilityLine({ stability }: Pick<PackMetadata, "stability">) {
  const words = packing.share;
  if (stability === null) return <p className={classes.told}>{words.firstPack}</p>;
  const { same: sharePercent, previous, share } = stability;
  const unchanged =
    sharePercent === 0
      ? words.noneUnchanged
      : words.unchanged(Math.floor(100 * share), sharePercent, previous);
  return <p className={classes.told}>{unchanged}</p>;
}
