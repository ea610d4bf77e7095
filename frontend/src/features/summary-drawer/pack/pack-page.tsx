/** The exact pack that the model would receive now, by parts or in the format of a model's API. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Copy } from "lucide-react";
import { useState } from "react";
import { type Context, contextQuery, type Rendering } from "@/api/context";
import { PackTokens } from "../pack-tokens";
import { Segmented } from "@/components/ui/segmented";
import { toast } from "@/components/feedback/toast";
import { copyText } from "@/lib/clipboard";
import { texts } from "@/texts";
import { packing } from "@/texts/drawer-pack";
import { useDrawer } from "../drawer-context";
import shared from "../shared.module.css";
import { PackError, Skeletons } from "../loading-states";
import { CountedBy } from "../usage/counted-by";
import { BudgetShare } from "./budget-share";
import { PackPreferences } from "./pack-preferences";
import classes from "./pack.module.css";
import { PackParts } from "./pack-parts";

type PackFormat = "parts" | "anthropic" | "openai";

export function PackPage() {
  const { id } = useDrawer();
  const [format, setFormat] = useState<PackFormat>("parts");
  const rendering: Rendering | undefined = format === "parts" ? undefined : format;
  const { data: pack, error, refetch } = useQuery(contextQuery(id, rendering));
  const words = packing.pack;
  return (
    <>
      <p className={shared.quiet}>{words.about}</p>
      <div className={classes.tools}>
        <Segmented
          label={words.form}
          value={format}
          options={Object.entries(words.forms).map(([value, label]) => ({
            value: value as PackFormat,
            label,
          }))}
          onChange={setFormat}
        />
        <CopyButton pack={pack} />
      </div>
      {error && <PackError error={error} onRetry={() => void refetch()} />}
      {!error && !pack && <Skeletons lines={8} />}
      {pack && (
        <>
          <p className={shared.meta}>
            <PackTokens value={pack.metadata.tokens.total} /> {texts.drawer.usage.of(pack.metadata.budget)}
          </p>
          <CountedBy estimator={pack.metadata.estimator} />
          <BudgetShare pack={pack} />
        </>
      )}
      <PackPreferences />
      {pack &&
        (format === "parts" ? <PackParts pack={pack} /> : <pre className={classes.json}>{asText(pack)}</pre>)}
    </>
  );
}

function CopyButton({ pack }: { pack: Context | undefined }) {
  const words = packing.pack;
  const copy = async () => {
    const done = await copyText(pack === undefined ? "" : asText(pack));
    toast(done ? words.copied : words.notCopied, { tone: done ? "ok" : "bad" });
  };
  return (
    <Button
      size="xs"
      disabled={pack === undefined}
      leftSection={<Copy size={14} strokeWidth={1.75} aria-hidden="true" />}
      onClick={() => void copy()}
    >
      {words.copy}
    </Button>
  );
}

/** A rendered pack contains only what is sent to the model. */
function asText(pack: Context): string {
  const content = pack.rendered ?? pack;
  return typeof content === "string" ? content : JSON.stringify(content, null, 2);
}
