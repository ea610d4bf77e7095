/** Notices about a memory: archived, proposed, or merged into another. */

import { Link } from "react-router";
import type { MemoryNode } from "@/api/memories";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { memory } from "@/texts/memory";
import { nodePath } from "../routes";

const words = memory.node;

interface Props {
  node: MemoryNode;
  isDeleted: boolean;
}

export function NodeNotes({ node: { archived_at, merged_into, arrival: mergeTarget }, isDeleted }: Props) {
  return (
    <>
      {isDeleted && (
        <InlineAlert tone="bad" role="alert">
          <p>{memory.edit.staleGone}</p>
        </InlineAlert>
      )}
      {archived_at !== null && (
        <InlineAlert tone="warn">
          <p>
            {words.archivedNote} {merged_into !== null && `${words.mergedInto} `}
            {merged_into !== null && <Link to={nodePath(merged_into)}>{words.mergedIntoOpen}</Link>}
          </p>
        </InlineAlert>
      )}
      {mergeTarget === "proposed" && (
        <InlineAlert tone="info">
          <p>{words.proposedNote}</p>
        </InlineAlert>
      )}
    </>
  );
}
