/** All that was ever done to a memory, the newest first; each can be looked at and taken back. */

import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type MemoryNode, revisionsQuery } from "@/api/memories";
import { useShell } from "@/components/hooks/shell-context";
import { Loading } from "@/components/feedback/loading";
import { memory } from "@/texts/memory";
import { NotLoaded } from "../query-boundary";
import { mayChange } from "../permissions";
import shared from "../shared.module.css";
import { RevisionRow } from "./revision-row";
import classes from "./revisions.module.css";

const words = memory.revisions;

export function Revisions({ node }: { node: MemoryNode }) {
  const { me } = useShell();
  const found = useInfiniteQuery(revisionsQuery(node.id));
  const mayUndo = mayChange(me, node);
  return (
    <section className={shared.part}>
      <h2>{words.title}</h2>
      {found.isPending && <Loading />}
      {found.error !== null && found.data === undefined && (
        <NotLoaded error={found.error} onRetry={() => void found.refetch()} />
      )}
      <ol className={classes.list}>
        {found.data?.pages
          .flatMap((page) => page.data)
          .map((revision) => (
            <RevisionRow key={revision.id} revision={revision} nodeId={node.id} mayUndo={mayUndo} />
          ))}
      </ol>
      {found.hasNextPage && (
        <div>
          <Button
            size="compact-sm"
            loading={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            {words.older}
          </Button>
        </div>
      )}
    </section>
  );
}
