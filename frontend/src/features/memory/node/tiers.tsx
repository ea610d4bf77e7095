/** The text at a chosen level of detail: abstract, overview or full. The address may name one. */

import { useState } from "react";
import { useSearchParams } from "react-router";
import type { MemoryNode } from "@/api/memories";
import { Markdown } from "@/components/markdown/markdown";
import { Segmented } from "@/components/ui/segmented";
import { count } from "@/lib/format";
import { memory } from "@/texts/memory";
import { type Tier, TIERS } from "../routes";
import shared from "../shared.module.css";
import classes from "./node.module.css";

const words = memory.node;
/** Texts up to this size are shown in full by default. */
const SHORT_TOKENS = 600;

export function Tiers({ node }: { node: MemoryNode }) {
  const [search] = useSearchParams();
  const [chosen, setChosen] = useState<Tier | null>(null);
  const isDirectory = node.node_type === "dir";
  const tiers = isDirectory ? TIERS.filter((one) => node[one]) : TIERS;
  const named = tiers.find((one) => one === search.get("tier"));
  const tier = chosen ?? named ?? defaultTier(node);
  const text = node[tier] ?? "";
  if (tiers.length === 0) return null;
  return (
    <div className={classes.tiers}>
      <div className={classes.choice}>
        <Segmented
          label={words.tier}
          value={tier}
          options={tiers.map((value) => ({
            value,
            label: `${words.tiers[value]} ${count(node.tokens[value])}`,
          }))}
          onChange={setChosen}
        />
        <span className={shared.hint}>{words.tokens}</span>
      </div>
      {text === "" ? <p className={shared.told}>{words.noText}</p> : <Markdown text={text} />}
      <TiersOrigin node={node} />
    </div>
  );
}

/** The origin of abstract and overview. */
function TiersOrigin({ node: { tiers_by, tiers_stale } }: { node: MemoryNode }) {
  const by = tiers_by === "" ? "" : (words.tiersMade[tiers_by] ?? words.tiersBy(tiers_by));
  const text = tiers_stale ? words.tiersStale : by;
  return text === "" ? null : <p className={shared.hint}>{text}</p>;
}

function defaultTier({ content, overview, tokens }: MemoryNode): Tier {
  if (content && tokens.content <= SHORT_TOKENS) return "content";
  return overview ? "overview" : "content";
}
