/** What one must know before reading on: that it is out of use, waits, or went into another. */

import { Link } from "react-router";
import type { MemoryNode } from "@/api/memories";
import { Note } from "@/components/feedback/inline-alert";
import { memory } from "@/texts/memory";
import { nodePath } from "../routes";

const words = memory.node;

interface Props {
  node: MemoryNode;
  isGone: boolean;
}

export function NodeNotes({ node: { archived_at, merged_into, arrival }, isGone }: Props) {
  return (
    <>
      {isGone && (
        <Note tone="bad" role="alert">
          <p>{memory.edit.staleGone}</p>
        </Note>
      )}
      {archived_at !== null && (
        <Note tone="warn">
          <p>
            {words.archivedNote} {merged_into !== null && `${words.mergedInto} `}
            {merged_into !== null && <Link to={nodePath(merged_into)}>{words.mergedIntoOpen}</Link>}
          </p>
        </Note>
      )}
      {arrival === "proposed" && (
        <Note tone="info">
          <p>{words.proposedNote}</p>
        </Note>
      )}
    </>
  );
}
