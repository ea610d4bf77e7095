import { expect, test } from "vitest";
import { texts } from "./index";
import { agents, pairing } from "./agents";
import { auth } from "./auth";
import { help } from "./help";
import { inbox } from "./inbox";
import { memory } from "./memory";
import { memoryTabs } from "./memory-tabs";
import { sessions } from "./sessions";
import { packing } from "./drawer-pack";
import { palette } from "./palette";
import { remembering } from "./remembering";
import { settings } from "./settings";
import { tourSteps } from "./tour-steps";

const files = import.meta.glob<string>(["../**/*.{ts,tsx}", "!../texts/**", "!../**/*.test.*"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const code = Object.values(files).join("\n");

/** The names of texts, each with the group in which it stands. */
function names(group: object, path: readonly string[]): (readonly string[])[] {
  return Object.entries(group).flatMap(([name, text]) =>
    typeof text === "object" && text !== null ? names(text as object, [...path, name]) : [[...path, name]],
  );
}

/** It is named, or its group is read by a name that comes from elsewhere. */
function isRead(path: readonly string[]): boolean {
  const [group, name] = path.slice(-2);
  return new RegExp(`\\b${name ?? ""}\\b|\\b${group ?? ""}\\??\\.?\\[`).test(code);
}

test("every text has a reader", () => {
  const unread = names(
    {
      ...texts,
      agents,
      pairing,
      auth,
      help,
      inbox,
      memory,
      memoryTabs,
      sessions,
      packing,
      palette,
      remembering,
      settings,
      tourSteps,
    },
    [],
  ).filter((path) => path.length > 1 && !isRead(path));
  expect(unread.map((path) => path.join("."))).toEqual([]);
});
