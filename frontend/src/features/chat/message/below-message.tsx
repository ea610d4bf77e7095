/** What is below the text of a message: the memories made from it, and its other branches. */

import { lazy, Suspense } from "react";
import { ErrorBoundary } from "@/components/feedback/error-boundary";
import type { Message } from "@/api/messages";
import type { Branches } from "../thread/use-branches";
import { BranchSwitcher } from "./branch-switcher";

const MemoryChip = lazy(() => import("../memories/memory-chip"));

interface Props {
  message: Message;
  branches: Branches | undefined;
  isCurrent: boolean;
}

export function BelowMessage({ message, branches, isCurrent }: Props) {
  return (
    <>
      <ErrorBoundary fallback={() => null}>
        <Suspense>
          <MemoryChip message={message} isCurrent={isCurrent} />
        </Suspense>
      </ErrorBoundary>
      {branches && <BranchSwitcher branches={branches} isCurrent={isCurrent} />}
    </>
  );
}
