/** A part that is fetched: a quiet sign while it comes, a sentence with a way on where it does not. */

import { Button } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Loading } from "@/components/feedback/loading";
import { Note } from "@/components/feedback/inline-alert";
import { problemWords } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { settings } from "@/texts/settings";

interface Props<Data> {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}

export function Awaiting<Data>({ query, children }: Props<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error === null) return <Loading />;
  const again = <Button onClick={() => void query.refetch()}>{texts.common.retry}</Button>;
  return (
    <Note tone="bad" role="alert" title={settings.notLoaded} actions={again}>
      <p>{problemWords(query.error)}</p>
    </Note>
  );
}
