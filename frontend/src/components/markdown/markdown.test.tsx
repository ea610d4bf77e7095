import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderInApp } from "@/testing/render";
import { Markdown } from "./markdown";

test("nothing is fetched from other hosts: an image becomes a link", () => {
  const { container } = renderInApp(<Markdown text="![A map](https://elsewhere.test/map.png)" />);
  expect(container.querySelector("img")).toBeNull();
  expect(screen.getByRole("link", { name: "Image: A map" }).getAttribute("href")).toBe(
    "https://elsewhere.test/map.png",
  );
});

test("links open in a new tab and send no referrer", () => {
  renderInApp(<Markdown text="[docs](https://elsewhere.test)" />);
  expect(screen.getByRole("link", { name: "docs" }).getAttribute("rel")).toContain("noopener noreferrer");
});

test("a page of the app opens in the same tab, anything else in a new one", () => {
  renderInApp(<Markdown text="[key](/settings/models) [api](/api/docs) [away](//elsewhere.test)" />);
  expect(screen.getByRole("link", { name: "key" }).getAttribute("target")).toBeNull();
  for (const name of ["api", "away"])
    expect(screen.getByRole("link", { name }).getAttribute("target")).toBe("_blank");
});

test("HTML and scripts are removed", () => {
  const { container } = renderInApp(
    <Markdown text={'<script>alert(1)</script><b onclick="x()">bold</b> [x](javascript:alert(1))'} />,
  );
  expect(container.querySelector("script, b, [onclick]")).toBeNull();
  expect(container.querySelector("a")?.getAttribute("href") ?? "").not.toContain("javascript");
});

test("code can be copied verbatim", async () => {
  const user = userEvent.setup();
  renderInApp(<Markdown text={"```sql\nSELECT 1;\n```"} />);
  await user.click(screen.getByRole("button", { name: "Copy sql code" }));
  expect(await navigator.clipboard.readText()).toBe("SELECT 1;");
  expect(screen.getByRole("button", { name: "Copied" })).toBeTruthy();
});

test("tables and task lists are rendered", () => {
  renderInApp(<Markdown text={"| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] one\n- [ ] two"} />);
  expect(screen.getByRole("table")).toBeTruthy();
  expect(screen.getByRole("img", { name: "Done" })).toBeTruthy();
  expect(screen.getByRole("img", { name: "Not done" })).toBeTruthy();
});

test.each([
  ["quotes", ">".repeat(8000)],
  ["lists", "- ".repeat(4000)],
  ["emphasis", `${"*a ".repeat(1000)}${" b*".repeat(1000)}`],
])("thousands of nested %s are shown as plain text", (_, text) => {
  const { container } = renderInApp(<Markdown text={text} />);
  expect(container.textContent).toContain(text);
});
