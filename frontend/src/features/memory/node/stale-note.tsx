/** What somebody else wrote while one was writing: their text, and how it differs from one's own. */

import { lazy, Suspense, useState } from "react";
import { Note } from "@/components/feedback/inline-alert";
import { TextButton } from "@/components/ui/text-button";
import { memory } from "@/texts/memory";
import shared from "../shared.module.css";

const Diff = lazy(() => import("@/components/ui/diff"));
const words = memory.edit;

export function StaleNote({ now, mine }: { now: string; mine: string }) {
  const [isCompared, setCompared] = useState(false);
  return (
    <Note
      tone="warn"
      role="alert"
      title={words.stale}
      actions={
        <TextButton aria-pressed={isCompared} onClick={() => setCompared(!isCompared)}>
          {words.difference}
        </TextButton>
      }
    >
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls. */}
      <div className={shared.quoted} tabIndex={0} role="region" aria-label={words.theirs}>
        {isCompared ? (
          <Suspense fallback={now}>
            <Diff before={now} after={mine} />
          </Suspense>
        ) : (
          now
        )}
      </div>
    </Note>
  );
}
