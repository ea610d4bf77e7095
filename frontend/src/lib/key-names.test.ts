import { expect, test } from "vitest";
import { keyNames } from "./key-names";

test("keys are named as on the user's keyboard", () => {
  expect(keyNames("mod+shift+K", true)).toBe("⌘⇧K");
  expect(keyNames("mod+shift+K", false)).toBe("Ctrl+Shift+K");
});
