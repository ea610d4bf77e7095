import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type Conversation, conversationsQuery, namedQuery } from "@/api/conversations";
import { SAMPLE } from "@/lib/demo-conversation";

interface Sample {
  sample: Conversation | undefined;
  /** Chats of one's own beside it; unknown until the list is there. */
  hasOthers: boolean | undefined;
}

/** The sample conversation, where this workspace has it; it may stand far down in the list. */
export function useSample(): Sample {
  const { data, hasNextPage } = useInfiniteQuery(conversationsQuery());
  const all = data?.pages.flatMap((page) => page.data);
  const listed = all?.find(({ external_id }) => external_id === SAMPLE);
  const { data: found } = useQuery({
    ...namedQuery(SAMPLE),
    enabled: hasNextPage && listed === undefined,
  });
  return {
    sample: listed ?? found ?? undefined,
    hasOthers: all?.some(({ external_id }) => external_id !== SAMPLE),
  };
}
