import { expect, test } from "vitest";
import { united } from "./united";

test("a text takes from others the lines that it does not have, whatever their marker or capitals", () => {
  expect(united(["Deploys on Fridays.", "- deploys on Fridays\nNever at noon."])).toBe(
    "Deploys on Fridays.\n\nNever at noon.",
  );
});

test("code stays as it is, though its lines are known", () => {
  expect(united(["run()", "```\nrun()\n```"])).toBe("run()\n\n```\nrun()\n```");
});

test("what adds nothing leaves no gap", () => {
  expect(united(["One.", "One", "Two."])).toBe("One.\n\nTwo.");
});
