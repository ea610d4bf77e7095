/** Loading and error states of a query. */

import { Button } from "@mantine/core";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { problemMessage } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { memory } from "@/texts/memory";

export function LoadError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <InlineAlert
      tone="bad"
      role="alert"
      title={memory.notLoaded}
      actions={<Button onClick={onRetry}>{texts.common.retry}</Button>}
    >
      <p>{problemMessage(error)}</p>
    </InlineAlert>
  );
}
