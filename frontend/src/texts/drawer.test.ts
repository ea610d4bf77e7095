import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { drawer } from "./drawer";
import { drawerLists } from "./drawer-lists";

const ROOMS = ["api", "features", "components", "app"];

function source(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
}

function namesIn(texts: object): string[] {
  return Object.entries(texts).flatMap(([name, text]: [string, unknown]) =>
    typeof text === "object" && text !== null ? [name, ...namesIn(text)] : [name],
  );
}

test("every text of the drawer has a reader, or is called by a word of the server", () => {
  const read = new Set(ROOMS.flatMap((room) => source(join("src", room)).match(/\w+/g) ?? []));
  expect(namesIn({ ...drawer, ...drawerLists }).filter((name) => name !== "" && !read.has(name))).toEqual([]);
});

test("an article fits the word after it", () => {
  expect(drawerLists.summary.addTo("open question")).toBe("Add an open question");
  expect(drawerLists.summary.addTo("goal")).toBe("Add a goal");
  expect(drawer.run.of("aggressive")).toBe("aggressive compaction");
});
