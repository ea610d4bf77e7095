/** What is below the text of a message: the memories made from it, and its other branches. */

import type { Message } from "@/api/messages";
import { MemoryChip } from "../memories/memory-chip";
import type { Branches } from "../thread/use-branches";
import { BranchSwitcher } from "./branch-switcher";

interface Props {
  message: Message;
  branches: Branches | undefined;
  isCurrent: boolean;
}

export function BelowMessage({ message, branches, isCurrent }: Props) {
  return (
    <>
      <MemoryChip message={message} isCurrent={isCurrent} />
      {branches && <BranchSwitcher branches={branches} isCurrent={isCurrent} />}
    </>
  );
}
