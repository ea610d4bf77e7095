import { expect, test } from "vitest";
import { models } from "../testing/samples";
import { changesOf, suggested } from "./draft";

test("what is as before is no change", () => {
  expect(changesOf(models(), { names: {} })).toBeNull();
  expect(changesOf(models(), { backend: null, names: { compaction: " claude-small " } })).toBeNull();
});

test("an emptied name is left to the provider", () => {
  expect(changesOf(models(), { names: { compaction: " " } })).toEqual({ by_purpose: { compaction: null } });
});

test("going back to automatic is a change", () => {
  expect(changesOf(models({ backend: "ollama" }), { backend: null, names: {} })).toEqual({ backend: null });
});

test("the names of the chosen provider are suggested, else those of the one that answers", () => {
  expect(suggested(models(), { names: {} })).toEqual(["claude-large", "claude-small"]);
  expect(suggested(models(), { backend: "openai", names: {} })).toEqual([]);
});
