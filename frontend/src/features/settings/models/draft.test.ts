import { expect, test } from "vitest";
import { models } from "../testing/samples";
import { changesOf, suggestedNames } from "./draft";

test("a draft equal to the saved settings has no changes", () => {
  expect(changesOf(models(), { names: {} })).toBeNull();
  expect(changesOf(models(), { backend: null, names: { compaction: " claude-small " } })).toBeNull();
});

test("an empty name lets the provider choose", () => {
  expect(changesOf(models(), { names: { compaction: " " } })).toEqual({ by_purpose: { compaction: null } });
});

test("going back to automatic is a change", () => {
  expect(changesOf(models({ backend: "ollama" }), { backend: null, names: {} })).toEqual({ backend: null });
});

test("model names of the selected provider are suggested, otherwise those of the active one", () => {
  expect(suggestedNames(models(), { names: {} })).toEqual(["claude-large", "claude-small"]);
  expect(suggestedNames(models(), { backend: "openai", names: {} })).toEqual([]);
});
