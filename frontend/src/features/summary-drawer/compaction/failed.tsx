/** A compaction that failed: that nothing changed, why, and when it is tried again. */

import { Button } from "@mantine/core";
import { FoldVertical } from "lucide-react";
import { Note } from "@/components/feedback/inline-alert";
import { texts } from "@/texts";
import { useDrawer } from "../drawer-context";
import { useCompaction } from "./compact-button";
import { useNow } from "./use-stage-times";

const MINUTE_MS = 60_000;

export function Failed() {
  const { view, run, canWrite } = useDrawer();
  const { compact, isPending } = useCompaction();
  const now = useNow();
  const words = texts.drawer.failed;
  const failed = run.detail;
  const mark = view?.state.compaction;
  const code = [failed?.error_code, mark?.error_code].find((known) => known) ?? "";
  const retryAt = failed?.retry_at ?? mark?.retry_at ?? null;
  const again = canWrite && (
    <Button size="xs" loading={isPending} onClick={() => compact(failed?.level ?? "light")}>
      {words.again}
    </Button>
  );
  return (
    <Note tone="bad" icon={FoldVertical} title={words.title} code={code} role="status" actions={again}>
      <p>
        {[failed?.error, nextTry(retryAt, now), words.kept(view?.state.summary.version ?? 0)]
          .filter(Boolean)
          .join(" ")}
      </p>
    </Note>
  );
}

export function nextTry(retryAt: string | null, now: number): string {
  const words = texts.drawer.failed;
  if (retryAt === null) return words.noTry;
  const left = Date.parse(retryAt) - now;
  return words.nextTry(left < MINUTE_MS ? words.soon : words.inMinutes(Math.ceil(left / MINUTE_MS)));
}
