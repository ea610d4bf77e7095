/** Loading and error states of a query. */

import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { Loading } from "@/components/feedback/loading";
import { problemMessage } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { sessions } from "@/texts/sessions";

interface Props<Data> {
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown };
  children: (data: Data) => ReactNode;
}

export function QueryBoundary<Data>({ query, children }: Props<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error === null) return <Loading />;
  const retry = <Button onClick={() => void query.refetch()}>{texts.common.retry}</Button>;
  return (
    <InlineAlert tone="bad" role="alert" title={sessions.notLoaded} actions={retry}>
      <p>{problemMessage(query.error)}</p>
    </InlineAlert>
  );
}
