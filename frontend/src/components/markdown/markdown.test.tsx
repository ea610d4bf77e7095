import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { show } from "@/testing/render";
import { Markdown } from "./markdown";

test("nothing is fetched from elsewhere: an image is a link to it", () => {
  const { container } = show(<Markdown text="![A map](https://elsewhere.test/map.png)" />);
  expect(container.querySelector("img")).toBeNull();
  expect(screen.getByRole("link", { name: "Image: A map" }).getAttribute("href")).toBe(
    "https://elsewhere.test/map.png",
  );
});

test("links open beside the page and tell nothing of it", () => {
  show(<Markdown text="[docs](https://elsewhere.test)" />);
  expect(screen.getByRole("link", { name: "docs" }).getAttribute("rel")).toContain("noopener noreferrer");
});

test("HTML and scripts stay outside", () => {
  const { container } = show(
    <Markdown text={'<script>alert(1)</script><b onclick="x()">bold</b> [x](javascript:alert(1))'} />,
  );
  expect(container.querySelector("script, b, [onclick]")).toBeNull();
  expect(container.querySelector("a")?.getAttribute("href") ?? "").not.toContain("javascript");
});

test("code can be copied as it is", async () => {
  const user = userEvent.setup();
  show(<Markdown text={"```sql\nSELECT 1;\n```"} />);
  await user.click(screen.getByRole("button", { name: "Copy sql code" }));
  expect(await navigator.clipboard.readText()).toBe("SELECT 1;");
  expect(screen.getByRole("button", { name: "Copied" })).toBeTruthy();
});

test("tables and lists of things to do are shown", () => {
  show(<Markdown text={"| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] one\n- [ ] two"} />);
  expect(screen.getByRole("table")).toBeTruthy();
  expect(screen.getByRole("img", { name: "Done" })).toBeTruthy();
  expect(screen.getByRole("img", { name: "Not done" })).toBeTruthy();
});

test.each([
  ["quotes", ">".repeat(8000)],
  ["lists", "- ".repeat(4000)],
  ["emphasis", `${"*a ".repeat(1000)}${" b*".repeat(1000)}`],
])("thousands of %s in each other are shown as they were written", (_, text) => {
  const { container } = show(<Markdown text={text} />);
  expect(container.textContent).toContain(text);
});
