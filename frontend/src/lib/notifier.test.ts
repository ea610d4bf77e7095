import { expect, test, vi } from "vitest";
import { createNotifier } from "./notifier";

test("subscribers are notified with the arguments until they unsubscribe", () => {
  const { subscribe, notify } = createNotifier<[string]>();
  const [one, other] = [vi.fn(), vi.fn()];
  const stop = subscribe(one);
  subscribe(other);
  notify("c1");
  stop();
  notify("c2");
  expect(one.mock.calls).toEqual([["c1"]]);
  expect(other.mock.calls).toEqual([["c1"], ["c2"]]);
});
