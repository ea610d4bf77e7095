/** Notices about a memory: archived, proposed, or merged into another. */

import { Button } from "@mantine/core";
import { Check } from "lucide-react";
import { Link } from "react-router";
import { type MemoryNode, useMemoryAction } from "@/api/memories";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { toast, toastProblem } from "@/components/feedback/toast";
import { date } from "@/lib/format";
import { memory } from "@/texts/memory";
import { nodePath } from "../routes";

const words = memory.node;

interface Props {
  node: MemoryNode;
  mayApprove: boolean;
  isDeleted: boolean;
}

export function NodeNotes({ node, mayApprove, isDeleted }: Props) {
  const { archived_at, merged_into, superseded_by, arrival } = node;
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
      {superseded_by !== null && (
        <InlineAlert tone="info">
          <p>
            {memory.fact.supersededBy(date(superseded_by.valid_from ?? node.valid_to ?? ""))}{" "}
            <Link to={nodePath(superseded_by.id)}>{superseded_by.abstract}</Link>
          </p>
        </InlineAlert>
      )}
      {arrival === "proposed" && archived_at === null && (
        <InlineAlert tone="info">
          <p>{words.proposedNote}</p>
          {mayApprove && <ApproveButton id={node.id} />}
        </InlineAlert>
      )}
    </>
  );
}

/** To decline a proposal is to archive it, with the other actions. */
function ApproveButton({ id }: { id: string }) {
  const { mutateAsync, isPending } = useMemoryAction(id);
  const approve = () =>
    void mutateAsync("approve").then(() => toast(words.wasApproved, { tone: "ok" }), toastProblem);
  return (
    <Button
      size="xs"
      leftSection={<Check size={14} strokeWidth={1.75} aria-hidden="true" />}
      loading={isPending}
      onClick={approve}
    >
      {words.approve}
    </Button>
  );
}
