import { expect, test } from "vitest";
import { importTarget, readMemories, textOf } from "./memory-file";

const MARKDOWN =
  "<!-- {} -->\n\n# mem://user/events/launch\n\nWe launched.\n\n\\# mem://user/no\n\n# mem://user/tea\r\n";
const LAUNCH = { uri: "mem://user/events/launch", content: "We launched." };

function read(text: string) {
  const file = readMemories(text);
  if (typeof file === "string") throw new Error(file);
  return file;
}

test("each heading that is an address starts a memory, an escaped one does not", () => {
  const file = read(MARKDOWN);
  expect(file.format).toBe("markdown");
  expect(file.uris).toEqual(["mem://user/events/launch", "mem://user/tea"]);
  expect(file.body).toEqual({ markdown: MARKDOWN });
});

test("a JSON export is sent as it is, and a bare list as its nodes", () => {
  const nodes = { format: "continuity-memory-tree", version: 1, root: "mem://user", nodes: [LAUNCH, {}] };
  expect(read(JSON.stringify(nodes))).toEqual({ format: "json", uris: [LAUNCH.uri, ""], body: nodes });
  expect(read(JSON.stringify([LAUNCH])).body).toEqual({ nodes: [LAUNCH] });
});

test.each([
  ["  \n", "empty"],
  ["{ half a", "bad_json"],
  ['{"nodes": "none"}', "no_list"],
  ["[]", "no_list"],
  ["# Notes\n\nof a meeting", "no_address"],
])("a file that cannot be parsed has a reason: %j", (text, reason) => {
  expect(readMemories(text)).toBe(reason);
});

test("memories of the folder keep their addresses, others go below it", () => {
  const file = read(JSON.stringify([LAUNCH, { content: "nameless" }]));
  expect(importTarget(file, "mem://user")).toBeNull();
  expect(importTarget(file, "mem://user/events")).toBeNull();
  expect(importTarget(file, "mem://user/event")).toBe("mem://user/event");
});

test("a file that is not valid UTF-8 is rejected instead of repaired", async () => {
  expect(await textOf(new Blob(["\ufeffÄ"]))).toBe("Ä");
  await expect(textOf(new Blob([new Uint8Array([0xc3, 0x28])]))).rejects.toThrow();
});
