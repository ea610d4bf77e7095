import { expect, test, vi } from "vitest";
import { batched } from "./batch";

const lengths = (keys: readonly string[]) => Promise.resolve(new Map(keys.map((key) => [key, key.length])));

test("keys asked for at the same time are loaded together, each once", async () => {
  const load = vi.fn(lengths);
  const one = batched(load, 100);
  expect(await Promise.all([one("a"), one("bb"), one("a")])).toEqual([1, 2, 1]);
  expect(load.mock.calls).toEqual([[["a", "bb"]]]);
});

test("a later key is loaded in a batch of its own", async () => {
  const load = vi.fn(lengths);
  const one = batched(load, 100);
  await one("a");
  expect(await one("bb")).toBe(2);
  expect(load).toHaveBeenCalledTimes(2);
});

test("a batch has a limit", async () => {
  const load = vi.fn(lengths);
  const one = batched(load, 2);
  expect(await Promise.all(["a", "bb", "ccc"].map(one))).toEqual([1, 2, 3]);
  expect(load.mock.calls).toEqual([[["a", "bb"]], [["ccc"]]]);
});

test("a key without a value is null, and a failure reaches everyone who waits", async () => {
  expect(await batched(() => Promise.resolve(new Map<string, number>()), 2)("a")).toBeNull();
  const failing = batched(() => Promise.reject(new Error("away")), 2);
  const both = await Promise.allSettled([failing("a"), failing("b")]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});
