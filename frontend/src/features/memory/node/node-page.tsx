/** The page of a memory by id, or of a directory by address. */

import { useQuery } from "@tanstack/react-query";
import { Navigate, useParams, useSearchParams } from "react-router";
import { nodeAtQuery, nodeQuery } from "@/api/memories";
import { Problem } from "@/api/problems";
import { Loading } from "@/components/feedback/loading";
import { ErrorState } from "@/components/feedback/error-state";
import { useTitle } from "@/components/hooks/use-title";
import { memory } from "@/texts/memory";
import { titleOf } from "../address";
import { LoadError } from "../query-boundary";
import { isFixed, useCategories } from "../categories";
import { nodePath } from "../routes";
import shared from "../shared.module.css";
import { useLeftDraft } from "../use-persisted-draft";
import { FixedDirectory } from "./fixed-directory";
import { draftName } from "./edit-form";
import classes from "./node.module.css";
import { NodeView } from "./node-view";

export function NodePage() {
  const { nodeId = "" } = useParams();
  const { data: node, error, refetch } = useQuery(nodeQuery(nodeId));
  useTitle(node && titleOf(node.uri));
  const isDeleted = error instanceof Problem && error.status === 404;
  if (node !== undefined) return <NodeView key={node.id} node={node} isDeleted={isDeleted} />;
  if (isDeleted) return <MissingNode id={nodeId} />;
  return error === null ? <Loading /> : <LoadError error={error} onRetry={() => void refetch()} />;
}

export function FolderPage() {
  const [search] = useSearchParams();
  const uri = search.get("uri") ?? "";
  const { data: node, error, refetch } = useQuery(nodeAtQuery(uri));
  const categories = useCategories();
  useTitle(titleOf(uri));
  if (node === null) return isFixed(categories, uri) ? <FixedDirectory uri={uri} /> : <NotFound />;
  if (node !== undefined) {
    return node.node_type === "dir" ? (
      <NodeView key={node.id} node={node} />
    ) : (
      <Navigate to={nodePath(node.id)} replace />
    );
  }
  return error === null ? <Loading /> : <LoadError error={error} onRetry={() => void refetch()} />;
}

/** The unsaved edit of a memory that no longer exists. */
function MissingNode({ id }: { id: string }) {
  const leftDraft = useLeftDraft(draftName(id))?.["content"];
  return (
    <>
      <NotFound />
      {typeof leftDraft === "string" && (
        <section className={classes.left} aria-label={memory.node.left}>
          <h2>{memory.node.left}</h2>
          <pre className={shared.quoted}>{leftDraft}</pre>
        </section>
      )}
    </>
  );
}

function NotFound() {
  return <ErrorState title={memory.node.missingTitle} detail={memory.node.missingDetail} />;
}

/** The key of the selected item in the tree. */
export function useCurrent(): { key: string; uri: string } | null {
  const { nodeId } = useParams();
  const [search] = useSearchParams();
  const { data: node } = useQuery({ ...nodeQuery(nodeId ?? ""), enabled: nodeId !== undefined });
  const uri = search.get("uri");
  if (nodeId === undefined) return uri === null ? null : { key: uri, uri };
  if (node === undefined) return null;
  return { key: node.node_type === "dir" ? node.uri : node.id, uri: node.uri };
}
