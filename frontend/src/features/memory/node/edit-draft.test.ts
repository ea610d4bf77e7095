import { expect, test } from "vitest";
import { node } from "../testing/samples";
import { changesIn, firstDraft, isOther } from "./edit-draft";

test("only what was typed over is sent, with the reason", () => {
  const old = node();
  const draft = { ...firstDraft(old), tags: "deploys, ops ,ops", reason: " Tidied " };
  expect(changesIn(draft, old)).toEqual({ tags: ["deploys", "ops"], reason: "Tidied" });
});

test("a reason alone is no change", () => {
  expect(changesIn({ ...firstDraft(node()), reason: "Why not" }, node())).toBeNull();
});

test("what others wrote elsewhere in it is not written over", () => {
  const draft = { ...firstDraft(node()), content: "Mine." };
  expect(changesIn(draft, node({ tags: ["theirs"], version: 4 }))).toEqual({ content: "Mine." });
});

test("it is another when somebody changed what it says, and not when its short tiers were made anew", () => {
  const { base } = firstDraft(node());
  expect(isOther(base, node({ content: "Theirs.", version: 4 }))).toBe(true);
  expect(isOther(base, node({ abstract: "Made anew.", version: 4 }))).toBe(false);
});
