import { expect, test } from "vitest";
import type { Policy } from "@/api/policy";
import { message, pack, POLICY, view } from "../testing/samples";
import { expected } from "./expected";

const policy: Policy = POLICY.effective;
const { limits } = pack().metadata;
const { state } = view();

test("what is older than the newest twenty is folded", () => {
  expect(expected(state, "light", policy, limits).folds).toBe(4000 - 20 * 100);
});

test("where nothing is, what is older than the newest four", () => {
  const counts = { ...state.counts, live_count: 10, live_tokens: 1000, token_total: 1000 };
  const few = { ...state, counts, messages: state.messages.slice(-10) };
  expect(expected(few, "light", policy, limits).folds).toBe(600);
});

test("with nothing to fold nothing is freed", () => {
  const counts = { ...state.counts, live_count: 2, live_tokens: 200 };
  const two = { ...state, counts, messages: state.messages.slice(-2) };
  expect(expected(two, "light", policy, limits)).toMatchObject({ folds: 0, frees: 0 });
});

test("the newest message of the user stays wherever it stands", () => {
  const messages = Array.from({ length: 30 }, (_, index) =>
    message(index, { role: index === 0 ? "user" : "assistant" }),
  );
  const counts = { ...state.counts, live_count: 30, live_tokens: 3000 };
  expect(expected({ ...state, counts, messages }, "light", policy, limits).folds).toBe(900);
});

test("a long message counts only as much as its excerpt", () => {
  const messages = state.messages.map((one) => (one.index === 39 ? { ...one, token_count: 9000 } : one));
  const counts = { ...state.counts, live_tokens: 39 * 100 + 2000 };
  expect(expected({ ...state, counts, messages }, "light", policy, limits).folds).toBe(2000);
});

test("the more thorough, the more is freed", () => {
  const counts = { ...state.counts, token_total: 8000 };
  const [light, deep, aggressive] = (["light", "deep", "aggressive"] as const).map(
    (level) =>
      expected({ ...state, counts, summary: { ...state.summary, tokens: 1900 } }, level, policy, limits)
        .frees,
  );
  expect(light).toBeLessThan(deep ?? 0);
  expect(deep).toBeLessThan(aggressive ?? 0);
});
