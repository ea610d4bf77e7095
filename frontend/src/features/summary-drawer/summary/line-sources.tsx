/** The source messages of a line. */

import { useQuery } from "@tanstack/react-query";
import { sourceQuery } from "@/api/sources";
import { MissingSource, SourceMark } from "@/components/ui/source-mark";
import { useDrawer } from "../drawer-context";
import classes from "./summary.module.css";

export function LineSources({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <span className={classes.sources}>
      {ids.map((id) => (
        <LineSource key={id} messageId={id} />
      ))}
    </span>
  );
}

export function LineSource({ messageId }: { messageId: string }) {
  const { id, view, showMessage } = useDrawer();
  const target = view?.state.messages.find((message) => message.id === messageId);
  const isOfSeveral = target?.role === "user" && (view?.state.conversation.share_count ?? 0) > 0;
  const { data } = useQuery({ ...sourceQuery(id, messageId), enabled: target === undefined || isOfSeveral });
  const source = target === undefined ? data : (data ?? target);
  if (source === undefined) return null;
  if (source === null) return <MissingSource />;
  const name = "name" in source && source.name !== "" ? { name: source.name } : {};
  return <SourceMark role={source.role} index={source.index} onShow={showMessage} {...name} />;
}
