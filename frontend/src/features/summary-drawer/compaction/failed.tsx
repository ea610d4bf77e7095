/** A failed compaction: nothing changed, the reason, and the time of the next attempt. */

import { Button } from "@mantine/core";
import { FoldVertical } from "lucide-react";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { texts } from "@/texts";
import { useDrawer } from "../drawer-context";
import { useCompactNow } from "./use-compact-now";
import { useNow } from "./use-stage-times";

const MINUTE_MS = 60_000;

export function Failed() {
  const { view, run, canWrite } = useDrawer();
  const { compact, isPending } = useCompactNow();
  const now = useNow();
  const words = texts.drawer.failed;
  const failed = run.detail;
  const state = view?.state.compaction;
  const code = [failed?.error_code, state?.error_code].find((knownError) => knownError) ?? "";
  const retryAt = failed?.retry_at ?? state?.retry_at ?? null;
  const retry = canWrite && (
    <Button size="xs" loading={isPending} onClick={() => compact(failed?.level ?? "light")}>
      {words.again}
    </Button>
  );
  return (
    <InlineAlert tone="bad" icon={FoldVertical} title={words.title} code={code} role="status" actions={retry}>
      <p>
        {[failed?.error, nextAttempt(retryAt, now), words.kept(view?.state.summary.version ?? 0)]
          .filter(Boolean)
          .join(" ")}
      </p>
    </InlineAlert>
  );
}

export function nextAttempt(retryAt: string | null, now: number): string {
  const words = texts.drawer.failed;
  if (retryAt === null) return words.noTry;
  const remaining = Date.parse(retryAt) - now;
  return words.nextTry(
    remaining < MINUTE_MS ? words.soon : words.inMinutes(Math.ceil(remaining / MINUTE_MS)),
  );
}
