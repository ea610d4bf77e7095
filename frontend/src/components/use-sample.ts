import { useInfiniteQuery } from "@tanstack/react-query";
import { type Conversation, conversationsQuery } from "@/api/conversations";
import { SAMPLE } from "@/lib/sample";

interface Sample {
  sample: Conversation | undefined;
  /** Chats of one's own beside it; unknown until the list is there. */
  hasOthers: boolean | undefined;
}

/** The sample conversation, where this workspace has it. */
export function useSample(): Sample {
  const { data } = useInfiniteQuery(conversationsQuery());
  const all = data?.pages.flatMap((page) => page.data);
  return {
    sample: all?.find(({ external_id }) => external_id === SAMPLE),
    hasOthers: all?.some(({ external_id }) => external_id !== SAMPLE),
  };
}
