/** What is below the text of a message: the memories used for it and made from it, and its other branches. */

import type { Message } from "@/api/messages";
import { BeingRead } from "../memories/being-read";
import { MemoryChip } from "../memories/memory-chip";
import { UsedChip } from "../memories/used-chip";
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
      <UsedChip message={message} isCurrent={isCurrent} />
      <MemoryChip message={message} isCurrent={isCurrent} />
      <BeingRead message={message} />
      {branches && <BranchSwitcher branches={branches} isCurrent={isCurrent} />}
    </>
  );
}
