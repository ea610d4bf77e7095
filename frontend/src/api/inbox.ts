/** The inbox: memories that wait for a decision, decisions and their undo. */

import {
  infiniteQueryOptions,
  type InfiniteData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { api, ifMatch, type Schemas, unwrap } from "./client";
import { inboxCountQuery } from "./inbox-count";
import { keys } from "./keys";

export type InboxItem = Schemas["InboxItem"];
export type InboxMemory = Schemas["InboxMemory"];
export type Quote = Schemas["MemoryQuote"];
export type Decision = Schemas["InboxDecision"];
export type Decided = Schemas["InboxDecided"];
export type MemoryOrigin = Schemas["SourceRequest"];
export type SourceEffect = Schemas["SourceEffect"];
export type SourceAction = Schemas["QuarantineRequest"]["action"];
export type Verdict = Schemas["BulkDecisionRequest"]["decision"];
export type ItemEdit = Omit<Schemas["EditRequest"], "uri">;

type InboxPage = Schemas["InboxItemPage"];

export interface InboxFilters {
  order: "newest" | "oldest";
  category: string;
  source_kind: string;
}

export const NO_FILTERS: InboxFilters = { order: "newest", category: "", source_kind: "" };

const PER_PAGE = 50;

export function inboxQuery(filters: InboxFilters) {
  return infiniteQueryOptions({
    queryKey: keys.inbox(filters),
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const chosen = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ""));
      const query = { ...chosen, limit: PER_PAGE, ...(pageParam && { cursor: pageParam }) };
      return unwrap(api.GET("/api/inbox", { params: { query }, signal }));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}

export const decidedQuery = infiniteQueryOptions({
  queryKey: keys.decided,
  initialPageParam: "",
  queryFn: ({ pageParam, signal }) => {
    const query = { limit: PER_PAGE, ...(pageParam && { cursor: pageParam }) };
    return unwrap(api.GET("/api/inbox/decided", { params: { query }, signal }));
  },
  getNextPageParam: (page) => page.next_cursor ?? undefined,
});

/** Count what taking a source out of use would change. */
export function quarantineQuery(source: MemoryOrigin, action: SourceAction) {
  return queryOptions({
    queryKey: keys.quarantine(source, action),
    queryFn: ({ signal }): Promise<SourceEffect> => {
      const params = { query: { dry_run: true } };
      return unwrap(api.POST("/api/inbox/quarantine", { params, body: { source, action }, signal }));
    },
    gcTime: 0,
    staleTime: 0,
  });
}

const PATHS = {
  approve: "/api/inbox/{item_id}/approve",
  replace: "/api/inbox/{item_id}/replace",
  keep_both: "/api/inbox/{item_id}/keep-both",
  decline: "/api/inbox/{item_id}/decline",
} as const;

/** Decide one item as it was shown, or several. */
export function useDecide() {
  return useDecision(({ items, verdict }: { items: readonly InboxItem[]; verdict: Verdict }) => {
    const [first] = items;
    if (first !== undefined && items.length === 1)
      return unwrap(api.POST(PATHS[verdict], { params: versioned(first) }));
    const body = { ids: items.map(({ id }) => id), decision: verdict };
    return unwrap(api.POST("/api/inbox/decisions", { body }));
  });
}

export function useEditItem(item: InboxItem) {
  return useDecision((edit: ItemEdit) =>
    unwrap(api.POST("/api/inbox/{item_id}/edit", { params: versioned(item), body: edit })),
  );
}

export function useMergeItem(item: InboxItem) {
  return useDecision((body: { into_id: string; content: string }) =>
    unwrap(api.POST("/api/inbox/{item_id}/merge", { params: versioned(item), body })),
  );
}

export function useDeclineSource() {
  return useDecision((source: MemoryOrigin) =>
    unwrap(api.POST("/api/inbox/decline-source", { body: { source } })),
  );
}

export function useQuarantine() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ source, action }: { source: MemoryOrigin; action: SourceAction }) =>
      unwrap(api.POST("/api/inbox/quarantine", { body: { source, action } })),
    onSettled: () => refetch(client),
  });
}

export function useUndoDecision() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changeId: string) => unwrap(api.POST("/api/inbox/undo", { body: { change_id: changeId } })),
    onSuccess: ({ waiting }) => client.setQueryData(inboxCountQuery.queryKey, { waiting }),
    onSettled: () => refetch(client),
  });
}

/** The decided items leave the lists at once. */
function useDecision<Input>(mutationFn: (input: Input) => Promise<Decision>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: ({ ids, waiting }) => {
      client.setQueryData(inboxCountQuery.queryKey, { waiting });
      client.setQueriesData<InfiniteData<InboxPage>>(
        { queryKey: keys.inboxLists },
        (lists) => lists && without(lists, ids),
      );
    },
    onSettled: () => refetch(client),
  });
}

function without(lists: InfiniteData<InboxPage>, ids: readonly string[]): InfiniteData<InboxPage> {
  const pages = lists.pages.map((page) => ({
    ...page,
    data: page.data.filter(({ id }) => !ids.includes(id)),
  }));
  return { ...lists, pages };
}

/** Not awaited: what was decided is shown at once. */
function refetch(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: keys.memory });
}

function versioned({ id, memory }: InboxItem) {
  return { path: { item_id: id }, header: ifMatch(memory.version) };
}
