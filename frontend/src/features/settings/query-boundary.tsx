/** Loading and error states of a query. */

import { Button } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Loading } from "@/components/feedback/loading";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { problemMessage } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { settings } from "@/texts/settings";

interface Props<Data> {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}

export function QueryBoundary<Data>({ query, children }: Props<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error === null) return <Loading />;
  const retry = <Button onClick={() => void query.refetch()}>{texts.common.retry}</Button>;
  return (
    <InlineAlert tone="bad" role="alert" title={settings.notLoaded} actions={retry}>
      <p>{problemMessage(query.error)}</p>
    </InlineAlert>
  );
}
