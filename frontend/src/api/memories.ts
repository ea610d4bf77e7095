/** Memories: read, change, move, merge, import and delete nodes of the tree, and their revisions. */

import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { api, ifMatch, type Schemas, unwrap } from "./client";
import { keys } from "./keys";
import { Problem } from "./problems";

export type MemoryNode = Schemas["Memory"];
export type MemorySource = Schemas["MemorySource"];
export type Revision = Schemas["MemoryRevision"];
export type MemoryChanges = Schemas["MemoryChangesRequest"];
export type ErasePreview = Schemas["ErasePreview"];
export type ImportBody = Schemas["ImportRequest"];
export type ImportResults = Schemas["ItemResults"];

/** The address of a new memory, or a name from which the server derives one. */
export type NewMemoryTarget = { uri: string } | { category: Schemas["MemoryCategoryEnum"]; name: string };

/** The fields that a person enters for a new memory; all others have defaults. */
export interface NewMemory {
  target: NewMemoryTarget;
  content: string;
  tags: string[];
  occurred_at?: string;
  shared?: boolean;
}

const REVISIONS_PER_PAGE = 20;
const DEFAULTS = {
  abstract: "",
  overview: "",
  sources: [],
  shared: false,
  is_directory: false,
  allow_duplicate: false,
  reason: "",
};

export function nodeQuery(id: string) {
  return queryOptions({
    queryKey: keys.node(id),
    queryFn: ({ signal }) => unwrap(api.GET("/api/memories/{node_id}", { ...path(id), signal })),
  });
}

/** The node at an address, or `null`. */
export function nodeAtQuery(uri: string) {
  return queryOptions({
    queryKey: keys.nodeAt(uri),
    queryFn: async ({ signal }): Promise<MemoryNode | null> => {
      try {
        return await unwrap(api.GET("/api/memories", { params: { query: { uri } }, signal }));
      } catch (error) {
        if (error instanceof Problem && error.status === 404) return null;
        throw error;
      }
    },
  });
}

/** Newest first; long texts are truncated. */
export function revisionsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: keys.revisions(id),
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: REVISIONS_PER_PAGE, ...(pageParam && { cursor: pageParam }) };
      const params = { ...path(id).params, query };
      return unwrap(api.GET("/api/memories/{node_id}/revisions", { params, signal }));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}

/** One revision in full; it never changes. */
export function revisionQuery(id: string, revisionId: string) {
  return queryOptions({
    queryKey: keys.revision(id, revisionId),
    queryFn: ({ signal }) => {
      const params = { path: { node_id: id, revision_id: revisionId } };
      return unwrap(api.GET("/api/memories/{node_id}/revisions/{revision_id}", { params, signal }));
    },
    staleTime: "static",
  });
}

/** Count what a deletion would remove. */
export function erasePreviewQuery(id: string) {
  return queryOptions({
    queryKey: keys.erasure(id),
    queryFn: async ({ signal }): Promise<ErasePreview> => {
      const params = { ...path(id).params, query: { dry_run: true } };
      const preview = await unwrap(api.DELETE("/api/memories/{node_id}", { params, signal }));
      return preview ?? { count: 0, examples: [] };
    },
    gcTime: 0,
    staleTime: 0,
  });
}

/** The address that a new memory would get; shows the previous one while the next is fetched. */
export function addressQuery(target: NewMemoryTarget) {
  return queryOptions({
    queryKey: keys.address(target),
    queryFn: async ({ signal }): Promise<Schemas["CreatePreview"]> => {
      const body = { ...DEFAULTS, content: "", tags: [], ...target };
      const params = { query: { dry_run: true } };
      return (await unwrap(api.POST("/api/memories", { params, body, signal }))) as Schemas["CreatePreview"];
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  });
}

/** Preview the text of a memory after others are merged into it. */
export function mergeQuery({ id, version }: MemoryNode, sourceIds: readonly string[]) {
  return queryOptions({
    queryKey: keys.merge(id, sourceIds),
    queryFn: async ({ signal }): Promise<Schemas["MergePreview"]> => {
      const params = { ...versionedParams(id, version), query: { dry_run: true } };
      const body = { source_ids: [...sourceIds], reason: "" };
      const preview = await unwrap(api.POST("/api/memories/{node_id}/merge", { params, body, signal }));
      return preview as Schemas["MergePreview"];
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
}

export function exportHref(uri: string, format: "markdown" | "json"): string {
  return `/api/memories/export?${new URLSearchParams({ uri, format }).toString()}`;
}

interface Import {
  body: ImportBody;
  /** Import below this address; null imports each memory to its own address. */
  at: string | null;
  /** The person has seen the preview and says that these are their own memories; otherwise they wait in the inbox. */
  confirmed: boolean;
}

/** Import a whole file. */
export function useImportMemories() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: Import) => importMemories(request),
    onSettled: () => invalidateMemory(client),
  });
}

/** Preview an import, as far as a confirmed one goes. */
export function useImportPreview() {
  return useMutation({
    mutationFn: (request: Omit<Import, "confirmed">) =>
      importMemories({ ...request, confirmed: true }, { dry_run: true }),
  });
}

function importMemories(
  { body, at, confirmed }: Import,
  options: { dry_run?: true } = {},
): Promise<ImportResults> {
  const query = { ...options, confirmed, ...(at !== null && { at }) };
  return unwrap(api.POST("/api/memories/import", { params: { query }, body }));
}

export function useCreateMemory() {
  return useTreeMutation(async ({ target, ...memory }: NewMemory) => {
    const body = { ...DEFAULTS, ...memory, ...target };
    return (await unwrap(api.POST("/api/memories", { body }))) as MemoryNode;
  });
}

export function useEditMemory(id: string) {
  return useTreeMutation(({ version, changes }: { version: number; changes: MemoryChanges }) =>
    unwrap(api.PATCH("/api/memories/{node_id}", { params: versionedParams(id, version), body: changes })),
  );
}

export function useMoveMemory(id: string) {
  return useTreeMutation(({ version, to }: { version: number; to: string }) => {
    const params = versionedParams(id, version);
    return unwrap(api.POST("/api/memories/{node_id}/move", { params, body: { to, reason: "" } }));
  });
}

interface Merge {
  version: number;
  sourceIds: readonly string[];
  content: string;
}

export function useMergeMemories(id: string) {
  return useTreeMutation(async ({ version, sourceIds, content }: Merge) => {
    const body = { source_ids: [...sourceIds], content, reason: "" };
    const params = versionedParams(id, version);
    return (await unwrap(api.POST("/api/memories/{node_id}/merge", { params, body }))) as MemoryNode;
  });
}

const ACTIONS = {
  approve: "/api/memories/{node_id}/approve",
  archive: "/api/memories/{node_id}/archive",
  restore: "/api/memories/{node_id}/restore",
  share: "/api/memories/{node_id}/share",
} as const;

export function useMemoryAction(id: string) {
  return useTreeMutation((action: keyof typeof ACTIONS) => unwrap(api.POST(ACTIONS[action], path(id))));
}

export function useUndoChange(id: string) {
  return useTreeMutation((changeId: string) => {
    const body = { change_id: changeId, reason: "" };
    return unwrap(api.POST("/api/memories/{node_id}/undo", { ...path(id), body }));
  });
}

/** Delete permanently the version that the user looked at. */
export function useEraseMemory({ id, version }: MemoryNode) {
  const client = useQueryClient();
  return useMutation({
    // A pending count would find nothing any more.
    onMutate: () => client.cancelQueries({ queryKey: keys.erasure(id) }),
    mutationFn: () => unwrap(api.DELETE("/api/memories/{node_id}", { params: versionedParams(id, version) })),
    onSuccess: () => {
      client.removeQueries({ queryKey: keys.node(id) });
      return invalidateMemory(client);
    },
  });
}

function useTreeMutation<Input>(mutationFn: (input: Input) => Promise<MemoryNode>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (node) => client.setQueryData(nodeQuery(node.id).queryKey, node),
    onSettled: () => invalidateMemory(client),
  });
}

function invalidateMemory(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: keys.memory });
}

function path(id: string) {
  return { params: { path: { node_id: id } } };
}

function versionedParams(id: string, version: number) {
  return { ...path(id).params, header: ifMatch(version) };
}
