/** What is fetched: a quiet sign while it comes, a sentence with a way on where it does not. */

import { Button } from "@mantine/core";
import { Note } from "@/components/feedback/inline-alert";
import { problemWords } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { memory } from "@/texts/memory";

export function NotLoaded({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Note
      tone="bad"
      role="alert"
      title={memory.notLoaded}
      actions={<Button onClick={onRetry}>{texts.common.retry}</Button>}
    >
      <p>{problemWords(error)}</p>
    </Note>
  );
}
