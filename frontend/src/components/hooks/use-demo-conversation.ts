import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type Conversation, conversationsQuery, conversationByExternalIdQuery } from "@/api/conversations";
import { DEMO_EXTERNAL_ID } from "@/lib/demo-conversation";

interface DemoConversation {
  sample: Conversation | undefined;
  /** Whether the user has other chats; undefined until the list is loaded. */
  hasOthers: boolean | undefined;
}

/** The demo conversation of this workspace, if it has one. It may be far down in the list. */
export function useDemoConversation(): DemoConversation {
  const { data, hasNextPage } = useInfiniteQuery(conversationsQuery());
  const all = data?.pages.flatMap((page) => page.data);
  const listed = all?.find(({ external_id }) => external_id === DEMO_EXTERNAL_ID);
  const { data: fetched } = useQuery({
    ...conversationByExternalIdQuery(DEMO_EXTERNAL_ID),
    enabled: hasNextPage && listed === undefined,
  });
  return {
    sample: listed ?? fetched ?? undefined,
    hasOthers: all?.some(({ external_id }) => external_id !== DEMO_EXTERNAL_ID),
  };
}
