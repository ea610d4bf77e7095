/** Memories: one node of the tree, what was done to it, and what can be done. */

import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { api, ifMatch, type Schemas, taken } from "./client";
import { keys } from "./keys";
import { Problem } from "./problems";

export type MemoryNode = Schemas["Memory"];
export type MemorySource = Schemas["MemorySource"];
export type Revision = Schemas["MemoryRevision"];
export type MemoryChanges = Schemas["PatchedMemoryChangesRequest"];
export type ErasePreview = Schemas["ErasePreview"];
export type ImportBody = Schemas["ImportRequest"];
export type ImportResults = Schemas["ItemResults"];

/** Where a new memory goes: a whole address, or a name from which the server makes one. */
export type NewPlace = { uri: string } | { category: Schemas["MemoryCategoryEnum"]; name: string };

/** What a person enters of a new memory; everything else has its default. */
export interface NewMemory {
  place: NewPlace;
  content: string;
  tags: string[];
  occurred_at?: string;
  shared?: boolean;
}

const REVISIONS = 20;
const DEFAULTS = { abstract: "", overview: "", sources: [], shared: false, is_directory: false, reason: "" };

export function nodeQuery(id: string) {
  return queryOptions({
    queryKey: keys.node(id),
    queryFn: ({ signal }) => taken(api.GET("/api/memories/{node_id}", { ...path(id), signal })),
  });
}

/** What stands at an address; `null` where nothing does. */
export function nodeAtQuery(uri: string) {
  return queryOptions({
    queryKey: keys.nodeAt(uri),
    queryFn: async ({ signal }): Promise<MemoryNode | null> => {
      try {
        return await taken(api.GET("/api/memories", { params: { query: { uri } }, signal }));
      } catch (error) {
        if (error instanceof Problem && error.status === 404) return null;
        throw error;
      }
    },
  });
}

/** The newest first; of long texts only their beginnings. */
export function revisionsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: keys.revisions(id),
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: REVISIONS, ...(pageParam && { cursor: pageParam }) };
      const params = { ...path(id).params, query };
      return taken(api.GET("/api/memories/{node_id}/revisions", { params, signal }));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}

/** All of one, which never changes. */
export function revisionQuery(id: string, revisionId: string) {
  return queryOptions({
    queryKey: keys.revision(id, revisionId),
    queryFn: ({ signal }) => {
      const params = { path: { node_id: id, revision_id: revisionId } };
      return taken(api.GET("/api/memories/{node_id}/revisions/{revision_id}", { params, signal }));
    },
    staleTime: "static",
  });
}

/** How much an erasure would take. */
export function erasePreviewQuery(id: string) {
  return queryOptions({
    queryKey: keys.erasure(id),
    queryFn: async ({ signal }): Promise<ErasePreview> => {
      const params = { ...path(id).params, query: { dry_run: true } };
      const preview = await taken(api.DELETE("/api/memories/{node_id}", { params, signal }));
      return preview ?? { count: 0, examples: [] };
    },
    gcTime: 0,
    staleTime: 0,
  });
}

/** The address that a new memory would get; while another name is typed, the one before. */
export function addressQuery(place: NewPlace) {
  return queryOptions({
    queryKey: keys.address(place),
    queryFn: async ({ signal }): Promise<Schemas["CreatePreview"]> => {
      const body = { ...DEFAULTS, content: "", tags: [], ...place };
      const params = { query: { dry_run: true } };
      return (await taken(api.POST("/api/memories", { params, body, signal }))) as Schemas["CreatePreview"];
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  });
}

/** What a memory would say after others were merged into it. */
export function mergeQuery({ id, version }: MemoryNode, sourceIds: readonly string[]) {
  return queryOptions({
    queryKey: keys.merge(id, sourceIds),
    queryFn: async ({ signal }): Promise<Schemas["MergePreview"]> => {
      const params = { ...versioned(id, version), query: { dry_run: true } };
      const body = { source_ids: [...sourceIds], reason: "" };
      const preview = await taken(api.POST("/api/memories/{node_id}/merge", { params, body, signal }));
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
  /** Below which address; null where each goes to its own. */
  at: string | null;
}

/** All of a file. */
export function useImportMemories() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (wish: Import) => importing(wish),
    onSettled: () => treeChanged(client),
  });
}

/** What an import would do. */
export function useImportPreview() {
  return useMutation({ mutationFn: (wish: Import) => importing(wish, { dry_run: true }) });
}

function importing({ body, at }: Import, trial: { dry_run?: true } = {}): Promise<ImportResults> {
  const query = { ...trial, ...(at !== null && { at }) };
  return taken(api.POST("/api/memories/import", { params: { query }, body }));
}

export function useCreateMemory() {
  return useTreeChange(async ({ place, ...memory }: NewMemory) => {
    const body = { ...DEFAULTS, ...memory, ...place };
    return (await taken(api.POST("/api/memories", { body }))) as MemoryNode;
  });
}

export function useEditMemory(id: string) {
  return useTreeChange(({ version, changes }: { version: number; changes: MemoryChanges }) =>
    taken(api.PATCH("/api/memories/{node_id}", { params: versioned(id, version), body: changes })),
  );
}

export function useMoveMemory(id: string) {
  return useTreeChange(({ version, to }: { version: number; to: string }) => {
    const params = versioned(id, version);
    return taken(api.POST("/api/memories/{node_id}/move", { params, body: { to, reason: "" } }));
  });
}

interface Merge {
  version: number;
  sourceIds: readonly string[];
  content: string;
}

export function useMergeMemories(id: string) {
  return useTreeChange(async ({ version, sourceIds, content }: Merge) => {
    const body = { source_ids: [...sourceIds], content, reason: "" };
    const params = versioned(id, version);
    return (await taken(api.POST("/api/memories/{node_id}/merge", { params, body }))) as MemoryNode;
  });
}

const DEEDS = {
  archive: "/api/memories/{node_id}/archive",
  restore: "/api/memories/{node_id}/restore",
  share: "/api/memories/{node_id}/share",
} as const;

export function useMemoryDeed(id: string) {
  return useTreeChange((deed: keyof typeof DEEDS) => taken(api.POST(DEEDS[deed], path(id))));
}

export function useUndoChange(id: string) {
  return useTreeChange((changeId: string) => {
    const body = { change_id: changeId, reason: "" };
    return taken(api.POST("/api/memories/{node_id}/undo", { ...path(id), body }));
  });
}

/** As it was looked at. */
export function useEraseMemory({ id, version }: MemoryNode) {
  const client = useQueryClient();
  return useMutation({
    // A count under way would find nothing any more.
    onMutate: () => client.cancelQueries({ queryKey: keys.erasure(id) }),
    mutationFn: () => taken(api.DELETE("/api/memories/{node_id}", { params: versioned(id, version) })),
    onSuccess: () => {
      client.removeQueries({ queryKey: keys.node(id) });
      return treeChanged(client);
    },
  });
}

function useTreeChange<Input>(mutationFn: (input: Input) => Promise<MemoryNode>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (node) => client.setQueryData(nodeQuery(node.id).queryKey, node),
    onSettled: () => treeChanged(client),
  });
}

function treeChanged(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: keys.memory });
}

function path(id: string) {
  return { params: { path: { node_id: id } } };
}

function versioned(id: string, version: number) {
  return { ...path(id).params, header: ifMatch(version) };
}
