import { expect, test } from "vitest";
import { json, mockServer } from "@/testing/render";
import { extractMemories } from "./extraction";

const QUEUED = { id: "o1", state: "queued", stage: "", error: null };

test("a run that waits for a worker is no longer waited for", async () => {
  const requests = mockServer({
    "POST /api/conversations/c1/extraction": () => json(QUEUED, 202),
    "GET /api/operations/o1": () => json(QUEUED),
  });
  expect(await extractMemories("c1", 1_000)).toBeNull();
  expect(requests).toHaveLength(3);
});

test("a run is waited for while it makes progress", async () => {
  const answers = [
    ...["1 read", "2 read", "3 read"].map((stage) => ({ ...QUEUED, state: "running", stage })),
    { ...QUEUED, state: "succeeded", result: { created: 1 } },
  ];
  mockServer({
    "POST /api/conversations/c1/extraction": () => json(QUEUED, 202),
    "GET /api/operations/o1": () => json(answers.shift()),
  });
  expect(await extractMemories("c1", 1)).toEqual({ created: 1 });
});
