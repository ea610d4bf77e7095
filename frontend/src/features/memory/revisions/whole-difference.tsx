/** The difference of a revision. Long ones are truncated in the list and loaded in full on demand. */

import { useQuery } from "@tanstack/react-query";
import { type Revision, revisionQuery } from "@/api/memories";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { TextButton } from "@/components/ui/text-button";
import { problemMessage } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { memory } from "@/texts/memory";
import shared from "../shared.module.css";
import { Difference, isTruncated } from "./difference";

const words = memory.revisions;

export function FullDifference({ nodeId, revision }: { nodeId: string; revision: Revision }) {
  const isTruncatedRevision = isTruncated(revision);
  const { data, error, refetch } = useQuery({
    ...revisionQuery(nodeId, revision.id),
    enabled: isTruncatedRevision,
  });
  const isSlow = isTruncatedRevision && data === undefined;
  return (
    <>
      {isSlow && error === null && (
        <p className={shared.hint} role="status">
          {words.part}
        </p>
      )}
      {isSlow && error !== null && <TruncatedNotice error={error} onRetry={() => void refetch()} />}
      <Difference revision={data ?? revision} />
    </>
  );
}

function TruncatedNotice({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <InlineAlert
      tone="warn"
      role="alert"
      title={words.onlyPart}
      actions={<TextButton onClick={onRetry}>{texts.common.retry}</TextButton>}
    >
      <p>{problemMessage(error)}</p>
    </InlineAlert>
  );
}
