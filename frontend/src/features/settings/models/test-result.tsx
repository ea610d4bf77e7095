/** The result of a provider test, with its latency. */

import type { KeyTest as Outcome } from "@/api/models";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { problemMessage } from "@/components/feedback/toast";
import { settings } from "@/texts/settings";

const words = settings.key;

interface Props {
  outcome: Outcome | undefined;
  error: Error | null;
  /** The test used the stored key, not a typed one. */
  isStored: boolean;
}

export function TestResult({ outcome, error, isStored }: Props) {
  const failed = isStored ? words.failsStored : words.fails;
  if (error !== null)
    return (
      <InlineAlert tone="bad" role="alert" title={failed}>
        <p>{problemMessage(error)}</p>
      </InlineAlert>
    );
  if (outcome === undefined) return null;
  if (!outcome.ok)
    return (
      <InlineAlert tone="bad" role="alert" title={failed} code={outcome.code}>
        <p>{outcome.detail}</p>
      </InlineAlert>
    );
  const works = isStored ? words.worksStored : words.works;
  return (
    <InlineAlert tone="ok" role="status">
      {works(outcome.latency_ms, outcome.models.length)}
    </InlineAlert>
  );
}
