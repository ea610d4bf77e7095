/** Which models answer in the workspace, what was found, and the keys by which they are asked. */

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ifMatch, type Schemas, taken } from "./client";
import { keys } from "./keys";
import type { operations } from "./schema";

export type Models = Schemas["Models"];
export type ChosenModel = Schemas["ModelChoice"];
export type FoundBackend = Schemas["ProviderStatus"];
export type Tested = Schemas["KeyTest"];
export type ModelChanges = Schemas["PatchedModelsRequest"];
export type Purpose = ChosenModel["purpose"];
export type Backend = FoundBackend["backend"];
export type FoundState = FoundBackend["state"];

export type KeyedBackend = operations["model_key_replace"]["parameters"]["path"]["backend"];
/** A provider that can be called with a key of the workspace's own. */
export type KeyedProvider = FoundBackend & { backend: KeyedBackend };

/** As it was typed; an address belongs to one kind of backend alone. */
export interface KeyEntry {
  key: string;
  base_url?: string;
}

export function takesKey(found: FoundBackend): found is KeyedProvider {
  return found.takes_key;
}

export const modelsQuery = queryOptions({
  queryKey: keys.models,
  queryFn: () => taken(api.GET("/api/models")),
});

export function useChangeModels() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ version, body }: { version: number; body: ModelChanges }) =>
      taken(api.PATCH("/api/models", { params: { header: ifMatch(version) }, body })),
    onSuccess: (models) => client.setQueryData(modelsQuery.queryKey, models),
    onSettled: useRefreshed(),
  });
}

/** A small real question; without a key the stored one is tried. `read` is asked when it begins, and nothing is kept. */
export function useTestModel(backend: Backend, read?: () => KeyEntry) {
  return useMutation({
    mutationFn: () => taken(api.POST("/api/models/test", { body: { backend, ...read?.() } })),
    gcTime: 0,
  });
}

/** The server tries it first: a key that is not accepted is not stored. */
export function useSaveKey(backend: KeyedBackend, read: () => KeyEntry) {
  return useMutation({
    mutationFn: () => taken(api.PUT("/api/models/keys/{backend}", { params: at(backend), body: read() })),
    gcTime: 0,
    onSettled: useRefreshed(),
  });
}

export function useRemoveKey(backend: KeyedBackend) {
  return useMutation({
    mutationFn: () => taken(api.DELETE("/api/models/keys/{backend}", { params: at(backend) })),
    onSettled: useRefreshed(),
  });
}

function at(backend: KeyedBackend) {
  return { path: { backend } };
}

function useRefreshed() {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: keys.models }),
      client.invalidateQueries({ queryKey: keys.me }),
    ]);
}
