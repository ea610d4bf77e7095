/** The exact pack: what the model would be sent now, part by part, or in the words of a model's API. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Copy } from "lucide-react";
import { useState } from "react";
import { type Context, contextQuery, type Rendering } from "@/api/context";
import { Num } from "@/components/ui/number-with-source";
import { Segmented } from "@/components/ui/segmented";
import { toast } from "@/components/feedback/toast";
import { copied } from "@/lib/clipboard";
import { texts } from "@/texts";
import { useDrawer } from "../drawer-context";
import shared from "../shared.module.css";
import { NoPack, Skeletons } from "../loading-states";
import { CountedBy } from "../usage/counted-by";
import { BudgetShare } from "./budget-share";
import { OwnSettings } from "./pack-preferences";
import classes from "./pack.module.css";
import { PackParts } from "./pack-parts";

type Form = "parts" | "anthropic" | "openai";

export function PackPage() {
  const { id } = useDrawer();
  const [form, setForm] = useState<Form>("parts");
  const rendering: Rendering | undefined = form === "parts" ? undefined : form;
  const { data: pack, error, refetch } = useQuery(contextQuery(id, rendering));
  const words = texts.drawer.pack;
  return (
    <>
      <p className={shared.quiet}>{words.about}</p>
      <div className={classes.tools}>
        <Segmented
          label={words.form}
          value={form}
          options={Object.entries(words.forms).map(([value, label]) => ({ value: value as Form, label }))}
          onChange={setForm}
        />
        <CopyButton pack={pack} />
      </div>
      {error && <NoPack error={error} onRetry={() => void refetch()} />}
      {!error && !pack && <Skeletons lines={8} />}
      {pack && (
        <>
          <p className={shared.meta}>
            <Num value={pack.metadata.tokens.total} source="counted" />{" "}
            {texts.drawer.usage.of(pack.metadata.budget)}
          </p>
          <CountedBy estimator={pack.metadata.estimator} />
          <BudgetShare pack={pack} />
        </>
      )}
      <OwnSettings />
      {pack &&
        (form === "parts" ? <PackParts pack={pack} /> : <pre className={classes.json}>{asText(pack)}</pre>)}
    </>
  );
}

function CopyButton({ pack }: { pack: Context | undefined }) {
  const words = texts.drawer.pack;
  const copy = async () => {
    const done = await copied(pack === undefined ? "" : asText(pack));
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

/** Rendered, it is only what goes to the model. */
function asText(pack: Context): string {
  const shown = pack.rendered ?? pack;
  return typeof shown === "string" ? shown : JSON.stringify(shown, null, 2);
}
