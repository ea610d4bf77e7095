/** How a test of a provider went, in words and milliseconds. */

import { Check } from "lucide-react";
import type { Tested as Outcome } from "@/api/models";
import { Note } from "@/components/feedback/inline-alert";
import { problemWords } from "@/components/feedback/toast";
import { settings } from "@/texts/settings";

const words = settings.key;

interface Props {
  outcome: Outcome | undefined;
  error: Error | null;
  /** With the key that is stored, not one that was just typed. */
  isStored: boolean;
}

export function Tested({ outcome, error, isStored }: Props) {
  const failed = isStored ? words.failsStored : words.fails;
  if (error !== null)
    return (
      <Note tone="bad" role="alert" title={failed}>
        <p>{problemWords(error)}</p>
      </Note>
    );
  if (outcome === undefined) return null;
  if (!outcome.ok)
    return (
      <Note tone="bad" role="alert" title={failed} code={outcome.code}>
        <p>{outcome.detail}</p>
      </Note>
    );
  const works = isStored ? words.worksStored : words.works;
  return (
    <Note tone="ok" icon={Check} role="status">
      {works(outcome.latency_ms, outcome.models.length)}
    </Note>
  );
}
