import { expect, test, vi } from "vitest";
import { createNotifier } from "./notifier";

test("who watches is notified with what changed, until they stop", () => {
  const { watch, notify } = createNotifier<[string]>();
  const [one, other] = [vi.fn(), vi.fn()];
  const stop = watch(one);
  watch(other);
  notify("c1");
  stop();
  notify("c2");
  expect(one.mock.calls).toEqual([["c1"]]);
  expect(other.mock.calls).toEqual([["c1"], ["c2"]]);
});
