/** How large the chat is for the model after compactions, with the warning level. */

import { useQuery } from "@tanstack/react-query";
import { contextQuery } from "@/api/context";
import { Meter } from "@/components/ui/meter";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { NumberWithSource } from "@/components/ui/number-with-source";
import { percent } from "@/lib/format";
import { size } from "@/texts/drawer-forecast";
import { useDrawer } from "../drawer-context";
import { warningText } from "../reasons";
import shared from "../shared.module.css";

/** In percent: no compaction has made the chat smaller. */
const WHOLE = 100;

export function SizeAfterCompaction() {
  const { id } = useDrawer();
  const { data: pack } = useQuery(contextQuery(id));
  if (pack === undefined || pack.metadata.engine === "disabled" || pack.metadata.message_count === 0)
    return null;
  const { preservation_ratio: ratio, limits, total_tokens: whole, warnings } = pack.metadata;
  if (ratio >= WHOLE) return null;
  const { minimum } = limits.preservation;
  const words = size;
  return (
    <section aria-label={words.title}>
      <div className={shared.row}>
        <span>{words.title}</span>
        <span className={shared.strong}>
          <NumberWithSource value={ratio} source="estimated" form={percent} />
        </span>
      </div>
      <Meter value={ratio} label={words.title} text={words.meter(percent(ratio), minimum)} tick={minimum} />
      <p className={shared.caption}>{`${words.minimum(minimum)} · ${words.of(whole)}`}</p>
      <div className={shared.notes}>
        {warnings.map((warning) => (
          <InlineAlert key={warning.code} tone="info" title={warningText(warning)}>
            <p>{words.whyLow}</p>
          </InlineAlert>
        ))}
      </div>
    </section>
  );
}
