/** The difference of a revision. The list tells long ones in part: the whole comes when it is looked at. */

import { useQuery } from "@tanstack/react-query";
import { type Revision, revisionQuery } from "@/api/memories";
import { Note } from "@/components/feedback/inline-alert";
import { TextButton } from "@/components/ui/text-button";
import { problemWords } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { memory } from "@/texts/memory";
import shared from "../shared.module.css";
import { Difference, isCut } from "./difference";

const words = memory.revisions;

export function WholeDifference({ nodeId, revision }: { nodeId: string; revision: Revision }) {
  const isPart = isCut(revision);
  const { data, error, refetch } = useQuery({ ...revisionQuery(nodeId, revision.id), enabled: isPart });
  const isWaited = isPart && data === undefined;
  return (
    <>
      {isWaited && error === null && (
        <p className={shared.hint} role="status">
          {words.part}
        </p>
      )}
      {isWaited && error !== null && <OnlyPart error={error} onRetry={() => void refetch()} />}
      <Difference revision={data ?? revision} />
    </>
  );
}

function OnlyPart({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Note
      tone="warn"
      role="alert"
      title={words.onlyPart}
      actions={<TextButton onClick={onRetry}>{texts.common.retry}</TextButton>}
    >
      <p>{problemWords(error)}</p>
    </Note>
  );
}
