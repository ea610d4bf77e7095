/** A concurrent change: the other text, and a diff to the draft. */

import { lazy, Suspense, useState } from "react";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { TextButton } from "@/components/ui/text-button";
import { memory } from "@/texts/memory";
import shared from "../shared.module.css";

const Diff = lazy(() => import("@/components/ui/diff"));
const words = memory.edit;

export function StaleNote({ current, mine }: { current: string; mine: string }) {
  const [isComparing, setComparing] = useState(false);
  return (
    <InlineAlert
      tone="warn"
      role="alert"
      title={words.stale}
      actions={
        <TextButton aria-pressed={isComparing} onClick={() => setComparing(!isComparing)}>
          {words.difference}
        </TextButton>
      }
    >
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls. */}
      <div className={shared.quoted} tabIndex={0} role="region" aria-label={words.theirs}>
        {isComparing ? (
          <Suspense fallback={current}>
            <Diff before={current} after={mine} />
          </Suspense>
        ) : (
          current
        )}
      </div>
    </InlineAlert>
  );
}
