import { fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { ImportResults } from "@/api/memories";
import { kept } from "@/lib/local-storage";
import { json } from "@/testing/render";
import { besideTree, sent, VIEWER } from "../testing/in-memory";
import { folder, node } from "../testing/samples";

const AT = "/memory/import?uri=mem://user/events";
const PATH = "/api/memories/import";
const LAUNCH = "# mem://user/events/launch\n\nWe launched.\n";
const REFUSED: ImportResults = {
  created: 1,
  updated: 0,
  unchanged: 0,
  refused: 1,
  items: [
    { position: 0, state: "created", node_id: "n1", uri: "mem://user/events/launch", code: "", detail: "" },
    { position: 1, state: "refused", node_id: null, uri: "", code: "bad_item", detail: "It was erased." },
  ],
};
const TAKEN: ImportResults = { ...REFUSED, refused: 0, items: REFUSED.items.slice(0, 1) };

const WOULD: ImportResults = { ...REFUSED, items: REFUSED.items.map((item) => ({ ...item, node_id: null })) };

function isTrial(url: string): boolean {
  return new URL(url).searchParams.get("dry_run") === "true";
}

/** Of each import that was sent, whether it was a trial. */
function trials(asked: Request[]): boolean[] {
  return asked.filter(({ method }) => method === "POST").map(({ url }) => isTrial(url));
}

async function paste(value: string) {
  fireEvent.change(await screen.findByRole("textbox", { name: "Or its text, pasted" }), {
    target: { value },
  });
}

async function press(name: string) {
  await userEvent.click(await screen.findByRole("button", { name }));
}

test("a directory offers the import to whoever may write", async () => {
  const there = { "GET /api/memories": () => json(node({ node_type: "dir", uri: "mem://user/events" })) };
  besideTree("/memory/at?uri=mem://user/events", there);
  const way = await screen.findByRole("link", { name: "Import…" });
  expect(way.getAttribute("href")).toBe("/memory/import?uri=mem%3A%2F%2Fuser%2Fevents");
  besideTree(AT, {}, VIEWER);
  expect(await screen.findByText("You may read here, not write.")).toBeTruthy();
});

test("an empty fixed directory offers it too", async () => {
  besideTree("/memory/at?uri=mem://user/events", {
    "GET /api/tree": () => json({ data: [folder("mem://user")] }),
  });
  expect(await screen.findByRole("link", { name: "Import…" })).toBeTruthy();
});

test("the text is recognised while it is pasted", async () => {
  besideTree(AT);
  const deed = await screen.findByRole<HTMLButtonElement>("button", { name: "See what it would do" });
  expect(deed.disabled).toBe(true);
  await paste("Notes");
  expect(screen.getByRole("status").textContent).toContain("No memory is in it");
  await paste(LAUNCH);
  expect(screen.getByRole("status").textContent).toBe("Markdown, 1 memory. They keep their addresses. ");
  await paste('[{"uri": "mem://user/preferences/tea"}, {}]');
  expect(screen.getByRole("status").textContent).toMatch(
    /^JSON, 2 memories\. .* go below mem:\/\/user\/events\./,
  );
  expect(screen.getByText("mem://user/preferences/tea")).toBeTruthy();
});

test("before an import one sees what it would do, and nothing is done", async () => {
  const asked = besideTree(AT, { [`POST ${PATH}`]: () => json(WOULD) });
  await paste(LAUNCH);
  await press("See what it would do");
  const preview = await screen.findByText(/It would be: 1 new, 1 refused\./);
  expect(preview.textContent).toContain("Nothing is imported yet.");
  expect(screen.getByRole("list", { name: "Refused" }).textContent).toBe("Entry 2 It was erased.");
  expect(trials(asked)).toEqual([true]);
  await paste(`${LAUNCH}\n`);
  expect(screen.queryByText(/It would be/)).toBeNull();
  expect(screen.getByRole("button", { name: "See what it would do" })).toBeTruthy();
});

test("where nothing would be taken there is nothing to import", async () => {
  const nothing = { ...WOULD, created: 0, items: WOULD.items.slice(1) };
  const asked = besideTree(AT, { [`POST ${PATH}`]: () => json(nothing) });
  await paste(LAUNCH);
  await press("See what it would do");
  expect((await screen.findByRole<HTMLButtonElement>("button", { name: "Nothing to import" })).disabled).toBe(
    true,
  );
  fireEvent.keyDown(screen.getByRole("textbox"), { key: "Enter", ctrlKey: true });
  await paste(`${LAUNCH}\n`);
  await press("See what it would do");
  await screen.findByRole("button", { name: "Nothing to import" });
  expect(trials(asked)).toEqual([true, true]);
});

test("Ctrl+Enter does what the button says", async () => {
  const asked = besideTree(AT, { [`POST ${PATH}`]: ({ url }) => json(isTrial(url) ? WOULD : TAKEN) });
  await paste(LAUNCH);
  const keys = { key: "Enter", ctrlKey: true };
  fireEvent.keyDown(screen.getByRole("textbox"), keys);
  await screen.findByRole("button", { name: "Import 1 memory" });
  fireEvent.keyDown(screen.getByRole("textbox"), keys);
  await screen.findByRole("heading", { name: "1 new" });
  expect(trials(asked)).toEqual([true, false]);
});

test("each memory's result is told, and what was refused can be mended and sent again", async () => {
  let answer = REFUSED;
  const asked = besideTree(AT, { [`POST ${PATH}`]: ({ url }) => json(isTrial(url) ? WOULD : answer) });
  await paste(LAUNCH);
  await press("See what it would do");
  await press("Import 1 memory");
  const heading = await screen.findByRole("heading", { name: "1 new, 1 refused" });
  expect(document.activeElement).toBe(heading);
  expect(screen.getByRole("list", { name: "Refused" }).textContent).toBe("Entry 2 It was erased.");
  expect((await sent(asked, "POST", PATH)).body).toEqual({ markdown: LAUNCH });
  expect(trials(asked)).toEqual([true, false]);
  await press("Change it and import again");
  answer = TAKEN;
  await press("See what it would do");
  await press("Import 1 memory");
  expect(await screen.findByRole("heading", { name: "1 new" })).toBeTruthy();
  await press("To the folder");
  expect(await screen.findByText("at /memory/at?uri=mem%3A%2F%2Fuser%2Fevents")).toBeTruthy();
  expect(kept("memory:u1/w1/import/mem://user/events", null)).toBeNull();
});

test("what comes from elsewhere is put below the folder", async () => {
  const asked = besideTree(AT, { [`POST ${PATH}`]: () => json(TAKEN) });
  await paste('[{"uri": "mem://user/preferences/tea"}]');
  await press("See what it would do");
  await press("Import 1 memory");
  await screen.findByRole("heading", { name: "1 new" });
  const places = asked
    .filter(({ method }) => method === "POST")
    .map(({ url }) => new URL(url).searchParams.get("at"));
  expect(places).toEqual(["mem://user/events", "mem://user/events"]);
});

test("an import that is refused as a whole says why, and loses nothing", async () => {
  const errors = [{ pointer: "/nodes", detail: "Too long." }];
  besideTree(AT, {
    [`POST ${PATH}`]: () =>
      json({ code: "too_many_items", detail: "At most 5,000 memories at once.", errors }, 413),
  });
  await paste(LAUNCH);
  await press("See what it would do");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("At most 5,000 memories at once.");
  expect(alert.textContent).toContain("nodes: Too long.");
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe(LAUNCH);
});

test("a file goes before what was pasted, which is there again without it", async () => {
  besideTree(AT);
  await paste(LAUNCH);
  const file = new File(['[{"uri": "mem://user/events/tea"}]'], "tea.json", { type: "application/json" });
  await userEvent.upload(screen.getByLabelText("File"), file);
  expect(await screen.findByText("tea.json")).toBeTruthy();
  expect(screen.getByText("mem://user/events/tea")).toBeTruthy();
  await press("Without the file");
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe(LAUNCH);
});

test("a file that is not text is not taken", async () => {
  besideTree(AT);
  const picture = new File([new Uint8Array([0xff, 0xd8, 0xff])], "picture.md", { type: "text/markdown" });
  const field = await screen.findByLabelText<HTMLInputElement>("File");
  const toldOf = () =>
    field
      .getAttribute("aria-describedby")
      ?.split(" ")
      .map((id) => document.getElementById(id)?.textContent);
  const told = toldOf();
  expect(told).toHaveLength(1);
  await userEvent.upload(field, picture);
  expect(await screen.findByText("It cannot be read as text in UTF-8.")).toBeTruthy();
  expect(toldOf()).toEqual(["It cannot be read as text in UTF-8.", ...(told ?? [])]);
  expect(field.getAttribute("aria-invalid")).toBe("true");
});
