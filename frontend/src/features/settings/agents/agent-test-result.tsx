/** The result of a client's test, in words. */

import type { useTestAgent } from "@/api/agents";
import type { AgentTest } from "@/api/agents";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { problemMessage } from "@/components/feedback/toast";
import { agents } from "@/texts/agents";

export function AgentTestResult({ test }: { test: ReturnType<typeof useTestAgent> }) {
  if (test.isPending || test.isIdle) return null;
  if (test.error) {
    return (
      <InlineAlert tone="bad" role="alert" title={agents.testFailed}>
        <p>{problemMessage(test.error)}</p>
      </InlineAlert>
    );
  }
  const { tone, message } = wordsOf(test.data);
  return (
    <InlineAlert tone={tone} role="status">
      <p>{message}</p>
    </InlineAlert>
  );
}

function wordsOf({ engine, memories, bytes, tokens, ms }: AgentTest): {
  tone: "ok" | "info" | "warn";
  message: string;
} {
  if (engine === "disabled") return { tone: "warn", message: agents.engineOff };
  if (bytes === 0) return { tone: "info", message: agents.nothingKnown(ms) };
  return { tone: "ok", message: agents.ready(memories, bytes, tokens, ms) };
}
