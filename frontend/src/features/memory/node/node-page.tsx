/** One memory by its id, or a directory by its address. */

import { useQuery } from "@tanstack/react-query";
import { Navigate, useParams, useSearchParams } from "react-router";
import { nodeAtQuery, nodeQuery } from "@/api/memories";
import { Problem } from "@/api/problems";
import { Loading } from "@/components/feedback/loading";
import { Trouble } from "@/components/feedback/error-state";
import { useTitle } from "@/components/hooks/use-title";
import { memory } from "@/texts/memory";
import { titleOf } from "../address";
import { NotLoaded } from "../query-boundary";
import { isFixed, useCategories } from "../categories";
import { nodePath } from "../routes";
import shared from "../shared.module.css";
import { useLeft } from "../use-persisted-draft";
import { BareFolder } from "./fixed-directory";
import { draftName } from "./edit-form";
import classes from "./node.module.css";
import { NodeView } from "./node-view";

export function NodePage() {
  const { nodeId = "" } = useParams();
  const { data: node, error, refetch } = useQuery(nodeQuery(nodeId));
  useTitle(node && titleOf(node.uri));
  const isGone = error instanceof Problem && error.status === 404;
  if (node !== undefined) return <NodeView key={node.id} node={node} isGone={isGone} />;
  if (isGone) return <MissingNode id={nodeId} />;
  return error === null ? <Loading /> : <NotLoaded error={error} onRetry={() => void refetch()} />;
}

export function FolderPage() {
  const [search] = useSearchParams();
  const uri = search.get("uri") ?? "";
  const { data: node, error, refetch } = useQuery(nodeAtQuery(uri));
  const categories = useCategories();
  useTitle(titleOf(uri));
  if (node === null) return isFixed(categories, uri) ? <BareFolder uri={uri} /> : <Missing />;
  if (node !== undefined) {
    return node.node_type === "dir" ? (
      <NodeView key={node.id} node={node} />
    ) : (
      <Navigate to={nodePath(node.id)} replace />
    );
  }
  return error === null ? <Loading /> : <NotLoaded error={error} onRetry={() => void refetch()} />;
}

/** What was being written into it is not lost with it. */
function MissingNode({ id }: { id: string }) {
  const left = useLeft(draftName(id))?.["content"];
  return (
    <>
      <Missing />
      {typeof left === "string" && (
        <section className={classes.left} aria-label={memory.node.left}>
          <h2>{memory.node.left}</h2>
          <pre className={shared.quoted}>{left}</pre>
        </section>
      )}
    </>
  );
}

function Missing() {
  return <Trouble title={memory.node.missingTitle} detail={memory.node.missingDetail} />;
}

/** What the tree marks: the same key that its items have. */
export function useCurrent(): { key: string; uri: string } | null {
  const { nodeId } = useParams();
  const [search] = useSearchParams();
  const { data: node } = useQuery({ ...nodeQuery(nodeId ?? ""), enabled: nodeId !== undefined });
  const uri = search.get("uri");
  if (nodeId === undefined) return uri === null ? null : { key: uri, uri };
  if (node === undefined) return null;
  return { key: node.node_type === "dir" ? node.uri : node.id, uri: node.uri };
}
