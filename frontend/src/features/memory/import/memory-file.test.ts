import { expect, test } from "vitest";
import { placeFor, readMemories, textOf } from "./memory-file";

const MARKDOWN =
  "<!-- {} -->\n\n# mem://user/events/launch\n\nWe launched.\n\n\\# mem://user/no\n\n# mem://user/tea\r\n";
const LAUNCH = { uri: "mem://user/events/launch", content: "We launched." };

function read(text: string) {
  const file = readMemories(text);
  if (typeof file === "string") throw new Error(file);
  return file;
}

test("each heading that is an address is a memory, an escaped one is not", () => {
  const file = read(MARKDOWN);
  expect(file.format).toBe("markdown");
  expect(file.uris).toEqual(["mem://user/events/launch", "mem://user/tea"]);
  expect(file.body).toEqual({ markdown: MARKDOWN });
});

test("an export in JSON goes to the server as it is, and a bare list as its nodes", () => {
  const told = { format: "continuity-memory-tree", version: 1, root: "mem://user", nodes: [LAUNCH, {}] };
  expect(read(JSON.stringify(told))).toEqual({ format: "json", uris: [LAUNCH.uri, ""], body: told });
  expect(read(JSON.stringify([LAUNCH])).body).toEqual({ nodes: [LAUNCH] });
});

test.each([
  ["  \n", "empty"],
  ["{ half a", "bad_json"],
  ['{"nodes": "none"}', "no_list"],
  ["[]", "no_list"],
  ["# Notes\n\nof a meeting", "no_address"],
])("what cannot be read says why: %j", (text, why) => {
  expect(readMemories(text)).toBe(why);
});

test("what lies in the folder keeps its addresses, what comes from elsewhere goes below it", () => {
  const file = read(JSON.stringify([LAUNCH, { content: "nameless" }]));
  expect(placeFor(file, "mem://user")).toBeNull();
  expect(placeFor(file, "mem://user/events")).toBeNull();
  expect(placeFor(file, "mem://user/event")).toBe("mem://user/event");
});

test("a file that is not text is refused instead of being mended", async () => {
  expect(await textOf(new Blob(["\ufeffÄ"]))).toBe("Ä");
  await expect(textOf(new Blob([new Uint8Array([0xc3, 0x28])]))).rejects.toThrow();
});
