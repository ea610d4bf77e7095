import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { MemorySource } from "@/api/memories";
import { writeStored, readStored } from "@/lib/local-storage";
import { json } from "@/testing/render";
import { page } from "@/testing/samples";
import { renderPane, renderMemoryPage, MEMBER, lastRequest, treeAnswer, VIEWER } from "../testing/in-memory";
import { hit, line, node } from "../testing/samples";

const AT = "/memory/n/n1";

async function press(name: string | RegExp) {
  fireEvent.click(await screen.findByRole("button", { name }));
}

test("a memory shows its address, text, visibility and trust", async () => {
  renderPane(AT);
  expect(await screen.findByRole("heading", { name: "Deploy days" })).toBeTruthy();
  expect(screen.getByText(/Never in December/)).toBeTruthy();
  expect(screen.getByText("private")).toBeTruthy();
  expect(screen.getByText("trust: from a person")).toBeTruthy();
  const trail = within(screen.getByRole("navigation", { name: "Address" }));
  expect(trail.getByRole("link", { name: "preferences" }).getAttribute("href")).toBe(
    "/memory/at?uri=mem%3A%2F%2Fuser%2Fpreferences",
  );
});

test("the level of detail can be chosen", async () => {
  renderPane(AT);
  await userEvent.click(await screen.findByRole("radio", { name: /^Abstract/ }));
  expect(screen.getByText("Deploys on Fridays.")).toBeTruthy();
  expect(screen.queryByText(/Never in December/)).toBeNull();
});

test("the address can name the level of detail", async () => {
  renderPane(`${AT}?tier=abstract`);
  expect(await screen.findByRole("radio", { name: /^Abstract/, checked: true })).toBeTruthy();
  expect(screen.queryByText(/Never in December/)).toBeNull();
});

test("the current relevance is shown with its formula", async () => {
  renderPane(AT);
  const now = await screen.findByText("0.50 now");
  expect(now.title).toBe("1.00 × 0.5 ^ (90 days / 90 days), never below 0.1");
  expect(
    screen.getByRole("img", { name: /^Relevance 0.50 now; if unused, it falls to 0.1[23] by/ }),
  ).toBeTruthy();
});

test("a message source links to the message and quotes it", async () => {
  const nowhere = {
    ...{ conversation_id: null, index: null, role: null },
    ...{ name: null, quote: null, conversation_title: null },
  };
  const said = { name: "Bob", quote: "We deploy on Fridays.", conversation_title: "Deploys" };
  const sources: MemorySource[] = [
    { kind: "message", reference: "m1", conversation_id: "c1", index: 34, role: "user", ...said },
    { kind: "message", reference: "m2", ...nowhere },
    { kind: "person", reference: "u1", ...nowhere },
  ];
  renderPane(AT, { "GET /api/memories/n1": () => json(node({ sources })) });
  const link = await screen.findByRole("link", { name: "A message" });
  expect(link.getAttribute("href")).toBe("/c/c1?m=34");
  expect(screen.getByText("We deploy on Fridays.")).toBeTruthy();
  expect(screen.getByText("from Bob in “Deploys”")).toBeTruthy();
  expect(screen.getByText("Written by you")).toBeTruthy();
});

test("an edit sends only edited fields, with the reason and the version that the user saw", async () => {
  const requests = renderPane(AT, {
    "PATCH /api/memories/n1": () => json(node({ content: "New.", version: 4 })),
  });
  await press(/^Edit/);
  const box = screen.getByLabelText("Text");
  expect(document.activeElement).toBe(box);
  fireEvent.change(box, { target: { value: "New." } });
  fireEvent.change(screen.getByLabelText("Reason"), { target: { value: "Moved to noon" } });
  await press("Save");
  expect(await screen.findByText("Saved as a new revision")).toBeTruthy();
  expect(await lastRequest(requests, "PATCH", "/api/memories/n1")).toEqual({
    body: { content: "New.", reason: "Moved to noon" },
    match: '"3"',
  });
  expect(readStored("memory:u1/w1/edit/n1", null)).toBeNull();
});

test("after a concurrent edit both texts are shown, and no input is lost", async () => {
  let present = node();
  const matches: (string | null)[] = [];
  renderPane(AT, {
    "GET /api/memories/n1": () => json(present),
    "PATCH /api/memories/n1": (request) => {
      matches.push(request.headers.get("If-Match"));
      if (matches.length > 1) return json(node({ content: "Mine.", version: 5 }));
      present = node({ content: "Theirs.", version: 4 });
      return json({ code: "stale" }, 412);
    },
  });
  await press(/^Edit/);
  fireEvent.change(screen.getByLabelText("Text"), { target: { value: "Mine." } });
  await press("Save");
  const concurrent = await screen.findByRole("region", { name: "Current version" });
  expect(concurrent.textContent).toBe("Theirs.");
  expect(screen.getByLabelText<HTMLTextAreaElement>("Text").value).toBe("Mine.");
  await press("Overwrite");
  expect(await screen.findByText("Saved as a new revision")).toBeTruthy();
  expect(matches).toEqual(['"3"', '"4"']);
});

test("an unsaved edit survives a reload", async () => {
  renderPane(AT);
  await press(/^Edit/);
  fireEvent.change(screen.getByLabelText("Text"), { target: { value: "Half a thou" } });
  await waitFor(() =>
    expect(readStored("memory:u1/w1/edit/n1", null)).toMatchObject({ content: "Half a thou" }),
  );
  renderPane(AT);
  const boxes = await screen.findAllByRole<HTMLTextAreaElement>("textbox", { name: "Text" });
  await waitFor(() => expect(boxes.at(-1)?.value).toBe("Half a thou"));
});

test("a discarded edit can be restored", async () => {
  renderPane(AT);
  await press(/^Edit/);
  fireEvent.change(screen.getByLabelText("Text"), { target: { value: "Half a thou" } });
  await press("Cancel");
  expect(screen.queryByRole("textbox", { name: "Text" })).toBeNull();
  await press("Undo");
  expect((await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Text" })).value).toBe(
    "Half a thou",
  );
});

test("the unsaved edit of a deleted memory is still shown", async () => {
  writeStored("memory:u1/w1/edit/n1", { content: "Half a thou" });
  renderPane(AT, { "GET /api/memories/n1": () => json({ code: "not_found" }, 404) });
  expect(await screen.findByText("Memory not found")).toBeTruthy();
  expect(screen.getByText("Half a thou")).toBeTruthy();
});

test("E opens the form, but not while typing elsewhere", async () => {
  renderMemoryPage(AT);
  await screen.findByRole("heading", { name: "Deploy days" });
  await userEvent.type(screen.getByRole("textbox", { name: "Search memories" }), "e");
  expect(screen.queryByRole("form", { name: "Edit memory" })).toBeNull();
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard("e");
  expect(screen.getByRole("form", { name: "Edit memory" })).toBeTruthy();
});

test("a memory is moved to a chosen folder", async () => {
  const moved = node({ uri: "mem://user/events/deploy-days", version: 4 });
  const requests = renderPane(AT, { "POST /api/memories/n1/move": () => json(moved) });
  await press("Move…");
  await press("Up one level");
  await press("events");
  const address = screen.getByRole<HTMLInputElement>("textbox", { name: "New address" });
  expect(address.value).toBe("mem://user/events/deploy-days");
  await press("Move");
  expect(await screen.findByText("Moved")).toBeTruthy();
  expect(await lastRequest(requests, "POST", "/api/memories/n1/move")).toEqual({
    body: { to: "mem://user/events/deploy-days", reason: "" },
    match: '"3"',
  });
});

test("a rejected address shows the reason, and the input stays", async () => {
  renderPane(AT, {
    "POST /api/memories/n1/move": () =>
      json({ code: "tree_refused", detail: "there is no such folder" }, 422),
  });
  await press("Move…");
  const address = screen.getByRole<HTMLInputElement>("textbox", { name: "New address" });
  fireEvent.change(address, { target: { value: "mem://user/events/none/x" } });
  await press("Move");
  expect(await screen.findByText("there is no such folder")).toBeTruthy();
  expect(address.value).toBe("mem://user/events/none/x");
});

const OTHER = node({ id: "n2", uri: "mem://user/preferences/deploy-hours", content: "Never at noon." });

test("a merge shows the merged text, which can be edited before saving", async () => {
  const requests = renderPane(AT, {
    "GET /api/tree": treeAnswer({ "mem://user/preferences": [line(OTHER.uri, { id: "n2" })] }),
    "POST /api/memories/n1/merge?dry_run": () => json({ content: "Merged by the server.", trust: "tool" }),
    "POST /api/memories/n1/merge": () => json(node({ version: 4 })),
  });
  await press(/^Merge…/);
  await userEvent.click(await screen.findByRole("checkbox", { name: /Deploy hours/ }));
  const text = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Text after the merge" });
  await waitFor(() => expect(text.value).toBe("Merged by the server."));
  fireEvent.change(text, { target: { value: "Fridays, never at noon." } });
  await press("Merge 1 memory");
  expect(await screen.findByText("Merged. You can undo it from Revisions.")).toBeTruthy();
  expect(await lastRequest(requests, "POST", "/api/memories/n1/merge")).toEqual({
    body: { source_ids: ["n2"], content: "Fridays, never at noon.", reason: "" },
    match: '"3"',
  });
});

test("a merge that the server would reject says so in advance", async () => {
  renderPane(AT, {
    "GET /api/tree": treeAnswer({ "mem://user/preferences": [line(OTHER.uri, { id: "n2" })] }),
    "POST /api/memories/n1/merge?dry_run": () =>
      json({ code: "tree_refused", detail: "They do not merge." }, 422),
  });
  await press(/^Merge…/);
  await userEvent.click(await screen.findByRole("checkbox", { name: /Deploy hours/ }));
  expect((await screen.findByRole("alert")).textContent).toContain("They do not merge.");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Merge 1 memory" }).disabled).toBe(true);
});

test("merge candidates can be searched", async () => {
  renderPane(AT, {
    "GET /api/search": () => json({ hits: [hit(), hit({ id: "n2", uri: OTHER.uri })], by_meaning: true }),
    "GET /api/memories/n2": () => json(OTHER),
  });
  await press(/^Merge…/);
  await userEvent.type(screen.getByRole("textbox", { name: "Search memories" }), "hours{Enter}");
  expect(await screen.findByRole("checkbox", { name: /Deploy hours/ })).toBeTruthy();
  expect(screen.queryByRole("checkbox", { name: /Deploy days/ })).toBeNull();
});

test("archiving needs no confirmation and can be undone", async () => {
  const requests = renderPane(AT, {
    "POST /api/memories/n1/archive": () => json(node({ archived_at: "2026-11-21T10:00:00Z", version: 4 })),
    "POST /api/memories/n1/restore": () => json(node({ version: 5 })),
  });
  await press("Archive");
  await press("Undo");
  expect(await screen.findByText("Unarchived")).toBeTruthy();
  expect(requests.filter(({ method }) => method === "POST")).toHaveLength(2);
});

test("a proposed memory is approved where it says that it waits", async () => {
  let current = node({ arrival: "proposed", trust: "tool" });
  const requests = renderPane(AT, {
    "GET /api/memories/n1": () => json(current),
    "POST /api/memories/n1/approve": () => json((current = node({ version: 4 }))),
  });
  expect(await screen.findByText(/^Awaiting approval/)).toBeTruthy();
  await press("Approve");
  expect(await screen.findByText("Approved: replies use it from now on")).toBeTruthy();
  expect(screen.queryByText(/^Awaiting approval/)).toBeNull();
  expect(requests.filter(({ method }) => method === "POST")).toHaveLength(1);
});

test("deleting shows how much is deleted and requires the typed name", async () => {
  const requests = renderPane(AT, {
    "DELETE /api/memories/n1": ({ url }) =>
      url.includes("dry_run=true")
        ? json({ count: 3, examples: ["mem://user/preferences/deploy-days"] })
        : new Response(null, { status: 204 }),
  });
  await press("Delete permanently…");
  expect(await screen.findByText(/^Deletes 3 memories and folders with their history/)).toBeTruthy();
  const submitButton = screen.getByRole<HTMLButtonElement>("button", { name: "Delete permanently" });
  expect(submitButton.disabled).toBe(true);
  fireEvent.change(screen.getByLabelText(/Type “deploy-days”/), { target: { value: "deploy-days" } });
  fireEvent.click(submitButton);
  expect(await screen.findByText("at /memory/at?uri=mem%3A%2F%2Fuser%2Fpreferences")).toBeTruthy();
  expect(requests.filter(({ method, url }) => method === "DELETE" && !url.includes("dry_run"))).toHaveLength(
    1,
  );
});

const PATTERN = node({ uri: "mem://agent/patterns/keyed-batches" });

test("one's own memory among the agents' can be shared with the team after a confirmation", async () => {
  let present = PATTERN;
  renderPane(AT, {
    "GET /api/memories/n1": () => json(present),
    "POST /api/memories/n1/share": () => {
      present = { ...PATTERN, owner_id: null, shared: true, version: 4 };
      return json(present);
    },
  });
  await press("Share…");
  await press("Share with the team");
  expect(await screen.findByText("shared with Acme")).toBeTruthy();
});

test("a member can neither share nor change team memories of others", async () => {
  const shared = { ...PATTERN, owner_id: null, shared: true, author_id: "bob" };
  renderPane(AT, { "GET /api/memories/n1": () => json(shared) }, MEMBER);
  expect(await screen.findByText(/owners, admins and curators can edit/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Edit/ })).toBeNull();
  expect(screen.queryByRole("button", { name: "Share…" })).toBeNull();
});

test("a viewer is offered no changes", async () => {
  renderMemoryPage(AT, {}, VIEWER);
  await screen.findByRole("heading", { name: "Deploy days" });
  const names = screen.getAllByRole("button").map(({ textContent }) => textContent);
  expect(names.filter((name) => /Edit|Merge|Move|Archive|Erase|Undo/.test(name))).toEqual([]);
  expect(screen.queryByRole("link", { name: "New memory" })).toBeNull();
});

test("a folder shows its content, and a new memory starts there", async () => {
  const uri = "mem://user/entities/acme";
  renderPane(`/memory/at?uri=${uri}`, {
    "GET /api/memories": () => json(node({ uri, node_type: "dir", content: "" })),
    "GET /api/tree": treeAnswer({ [uri]: [line(`${uri}/rate-limit`, { abstract: "Sixty a minute." })] }),
  });
  const inside = within(await screen.findByRole("region", { name: "Contents" }));
  expect(await inside.findByRole("link", { name: "rate-limit" })).toBeTruthy();
  expect(inside.getByText("Sixty a minute.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "New memory here" }).getAttribute("href")).toContain("acme");
});

test("a fixed folder is shown before it has content", async () => {
  renderPane("/memory/at?uri=mem://user/events");
  expect(await screen.findByRole("heading", { name: "Events" })).toBeTruthy();
  expect(await screen.findByText(/Nothing here yet/)).toBeTruthy();
});

test("a memory that could not be loaded can be retried", async () => {
  let attempts = 0;
  renderPane(AT, {
    "GET /api/memories/n1": () => {
      attempts += 1;
      return attempts === 1 ? json({ code: "busy" }, 503) : json(node());
    },
    "GET /api/memories/n1/revisions": () => json(page([])),
  });
  await press("Try again");
  expect(await screen.findByRole("heading", { name: "Deploy days" })).toBeTruthy();
});
