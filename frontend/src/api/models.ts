/** Models of the workspace: which are active, which providers are available, and their API keys. */

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ifMatch, type Schemas, unwrap } from "./client";
import { keys } from "./keys";
import type { operations } from "./schema";

export type Models = Schemas["Models"];
export type ChosenModel = Schemas["ModelChoice"];
export type ProviderStatus = Schemas["ProviderStatus"];
export type KeyTest = Schemas["KeyTest"];
export type ModelChanges = Schemas["ModelsRequest"];
export type Purpose = ChosenModel["purpose"];
export type Backend = ProviderStatus["backend"];
export type ProviderState = ProviderStatus["state"];

export type KeyedBackend = operations["model_key_replace"]["parameters"]["path"]["backend"];
/** A provider that accepts a key of the workspace. */
export type KeyedProvider = ProviderStatus & { backend: KeyedBackend };

/** What was typed; only compatible backends have a base URL. */
export interface KeyEntry {
  key: string;
  base_url?: string;
}

export function takesKey(provider: ProviderStatus): provider is KeyedProvider {
  return provider.takes_key;
}

export const modelsQuery = queryOptions({
  queryKey: keys.models,
  queryFn: () => unwrap(api.GET("/api/models")),
});

export function useChangeModels() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ version, body }: { version: number; body: ModelChanges }) =>
      unwrap(api.PATCH("/api/models", { params: { header: ifMatch(version) }, body })),
    onSuccess: (models) => client.setQueryData(modelsQuery.queryKey, models),
    onSettled: useInvalidateModels(),
  });
}

/** Send a small request to the provider, with the stored key unless `readEntry` returns one. Nothing is cached. */
export function useTestModel(backend: Backend, readEntry?: () => KeyEntry) {
  return useMutation({
    mutationFn: () => unwrap(api.POST("/api/models/test", { body: { backend, ...readEntry?.() } })),
    gcTime: 0,
  });
}

/** The server tests the key first and does not store one that is rejected. */
export function useSaveKey(backend: KeyedBackend, readEntry: () => KeyEntry) {
  return useMutation({
    mutationFn: () =>
      unwrap(api.PUT("/api/models/keys/{backend}", { params: backendParams(backend), body: readEntry() })),
    gcTime: 0,
    onSettled: useInvalidateModels(),
  });
}

export function useRemoveKey(backend: KeyedBackend) {
  return useMutation({
    mutationFn: () => unwrap(api.DELETE("/api/models/keys/{backend}", { params: backendParams(backend) })),
    onSettled: useInvalidateModels(),
  });
}

function backendParams(backend: KeyedBackend) {
  return { path: { backend } };
}

function useInvalidateModels() {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: keys.models }),
      client.invalidateQueries({ queryKey: keys.me }),
    ]);
}
