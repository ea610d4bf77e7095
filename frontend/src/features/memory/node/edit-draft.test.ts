import { expect, test } from "vitest";
import { node } from "../testing/samples";
import { changesIn, firstDraft, hasChanged } from "./edit-draft";

test("only edited fields are sent, with the reason", () => {
  const old = node();
  const draft = { ...firstDraft(old), tags: "deploys, ops ,ops", reason: " Tidied " };
  expect(changesIn(draft, old)).toEqual({ tags: ["deploys", "ops"], reason: "Tidied" });
});

test("a reason alone is not a change", () => {
  expect(changesIn({ ...firstDraft(node()), reason: "Why not" }, node())).toBeNull();
});

test("a concurrent change of another field is not overwritten", () => {
  const draft = { ...firstDraft(node()), content: "Mine." };
  expect(changesIn(draft, node({ tags: ["theirs"], version: 4 }))).toEqual({ content: "Mine." });
});

test("changed content is a conflict, regenerated tiers are not", () => {
  const { base } = firstDraft(node());
  expect(hasChanged(base, node({ content: "Theirs.", version: 4 }))).toBe(true);
  expect(hasChanged(base, node({ abstract: "Made anew.", version: 4 }))).toBe(false);
});
