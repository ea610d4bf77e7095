/** All revisions of a memory, newest first. */

import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type MemoryNode, revisionsQuery } from "@/api/memories";
import { useShell } from "@/components/hooks/shell-context";
import { Loading } from "@/components/feedback/loading";
import { memory } from "@/texts/memory";
import { LoadError } from "../query-boundary";
import { mayChange } from "../permissions";
import shared from "../shared.module.css";
import { RevisionRow } from "./revision-row";
import classes from "./revisions.module.css";

const words = memory.revisions;

export function Revisions({ node }: { node: MemoryNode }) {
  const { me } = useShell();
  const query = useInfiniteQuery(revisionsQuery(node.id));
  const mayUndo = mayChange(me, node);
  return (
    <section className={shared.part}>
      <h2>{words.title}</h2>
      {query.isPending && <Loading />}
      {query.error !== null && query.data === undefined && (
        <LoadError error={query.error} onRetry={() => void query.refetch()} />
      )}
      <ol className={classes.list}>
        {query.data?.pages
          .flatMap((page) => page.data)
          .map((revision) => (
            <RevisionRow key={revision.id} revision={revision} nodeId={node.id} mayUndo={mayUndo} />
          ))}
      </ol>
      {query.hasNextPage && (
        <div>
          <Button
            size="compact-sm"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {words.older}
          </Button>
        </div>
      )}
    </section>
  );
}
