import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { page } from "@/testing/samples";
import { renderPane, lastRequest } from "../testing/in-memory";
import { node, revision } from "../testing/samples";

const AT = "/memory/n/n1";
const EDIT = revision(2, {
  reason: "Moved to noon",
  actor_id: "bob",
  actor_name: "Bob",
  fields: ["l2_content", "tags", "trust"],
  before: { l2_content: "Old.", tags: [], trust: "direct_user" },
  after: { l2_content: "New.", tags: ["deploys"], trust: "tool" },
  hunks: [
    [
      { kind: "removed", text: "Old.", old: 1, new: 0 },
      { kind: "added", text: "New.", old: 0, new: 1 },
    ],
  ],
});

function revised(...revisions: object[]) {
  return { "GET /api/memories/n1/revisions": () => json(page(revisions)) };
}

async function press(name: string) {
  fireEvent.click(await screen.findByRole("button", { name }));
}

test("a revision shows actor, operation and reason", async () => {
  renderPane(AT, revised(EDIT, revision(1, { made_by: "claude-small" })));
  expect(await screen.findByText(/Moved to noon/)).toBeTruthy();
  expect(screen.getByText(/edited · Bob, /)).toBeTruthy();
  expect(screen.getByText(/claude-small, /)).toBeTruthy();
});

test("its difference shows the lines of the text and every other field", async () => {
  renderPane(AT, revised(EDIT));
  await press("Show changes r2");
  const lines = within(await screen.findByRole("region", { name: "From line 1" }));
  expect(lines.getByText("Old.")).toBeTruthy();
  expect(lines.getByText("New.")).toBeTruthy();
  expect(screen.getByText("from a person")).toBeTruthy();
  expect(screen.getByText("from a tool")).toBeTruthy();
  expect(screen.getByText("nothing")).toBeTruthy();
  await press("Hide changes r2");
  expect(screen.queryByRole("region", { name: "From line 1" })).toBeNull();
});

test("generated tiers are not in the difference, tiers written by a person are", async () => {
  const fields = ["l2_content", "l0_abstract"];
  const generated = { ...EDIT, fields, after: { ...(EDIT.after as object), l0_abstract: "Made." } };
  const written = revision(3, { fields, after: { l0_abstract: "Written.", tiers_by: "person" } });
  renderPane(AT, revised(written, generated));
  await press("Show changes r2");
  await press("Show changes r3");
  expect(screen.getByText("Written.")).toBeTruthy();
  expect(screen.queryByText("Made.")).toBeNull();
});

test("a long revision is truncated and marked until it is fully loaded", async () => {
  let answerWith: (answer: Response) => void = () => undefined;
  const whole = new Promise<Response>((resolve) => (answerWith = resolve));
  renderPane(AT, {
    ...revised({ ...EDIT, cut: ["hunks", "l2_content"] }),
    "GET /api/memories/n1/revisions/r2": () => whole,
  });
  await press("Show changes r2");
  expect(await screen.findByText(/Loading the rest/)).toBeTruthy();
  expect(screen.getByText("New.")).toBeTruthy();
  answerWith(json({ ...EDIT, hunks: [[{ kind: "added", text: "New, and all the rest.", old: 0, new: 1 }]] }));
  expect(await screen.findByText("New, and all the rest.")).toBeTruthy();
  expect(screen.queryByText(/Loading the rest/)).toBeNull();
});

test("a long revision that fails to load says so and can be retried", async () => {
  let attempts = 0;
  renderPane(AT, {
    ...revised({ ...EDIT, cut: ["tags"] }),
    "GET /api/memories/n1/revisions/r2": () => {
      attempts += 1;
      return attempts === 1 ? json({ code: "busy" }, 503) : json({ ...EDIT, after: { tags: ["whole"] } });
    },
  });
  await press("Show changes r2");
  expect((await screen.findByRole("alert")).textContent).toContain("Only the beginning");
  await press("Try again");
  expect(await screen.findByText("whole")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a small change of a long text is fully in the list", async () => {
  const requests = renderPane(AT, revised({ ...EDIT, cut: ["l2_content"] }));
  await press("Show changes r2");
  expect(await screen.findByRole("region", { name: "From line 1" })).toBeTruthy();
  expect(requests.some(({ url }) => url.endsWith("/revisions/r2"))).toBe(false);
});

test("an edit is undone immediately, and its undo can be undone", async () => {
  let revisions = [EDIT];
  const requests = renderPane(AT, {
    "GET /api/memories/n1/revisions": () => json(page(revisions)),
    "POST /api/memories/n1/undo": () => {
      revisions = [revision(3, { operation: "undo", undoes: EDIT.change_id }), { ...EDIT, undone: true }];
      return json(node({ version: 4 }));
    },
  });
  await press("Undo r2");
  expect(await screen.findByText(/You can redo it/)).toBeTruthy();
  expect((await lastRequest(requests, "POST", "/api/memories/n1/undo")).body).toMatchObject({
    change_id: "change-2",
  });
  await press("Redo r3");
  await waitFor(() => expect(requests.filter(({ method }) => method === "POST")).toHaveLength(2));
  expect((await lastRequest(requests, "POST", "/api/memories/n1/undo")).body).toMatchObject({
    change_id: "change-3",
  });
  expect(await screen.findByText(/^Redone\. You can undo it/)).toBeTruthy();
});

test("undoing a creation asks for confirmation because it archives the memory", async () => {
  let present = node();
  const requests = renderPane(AT, {
    ...revised(revision(1)),
    "GET /api/memories/n1": () => json(present),
    "POST /api/memories/n1/undo": () => {
      present = node({ archived_at: "2026-11-21T10:00:00Z", version: 4 });
      return json(present);
    },
  });
  await press("Archive… r1");
  expect(requests.some(({ method }) => method === "POST")).toBe(false);
  const question = within(await screen.findByRole("group", { name: "Archive this memory?" }));
  fireEvent.click(question.getByRole("button", { name: "Archive" }));
  expect(await screen.findByText(/^Archived: replies/)).toBeTruthy();
  expect(screen.getByText("Archived. You can unarchive it at any time.")).toBeTruthy();
  expect(screen.queryByText(/You can redo it/)).toBeNull();
});

test("a later change is not overwritten, and is named", async () => {
  renderPane(AT, {
    ...revised(EDIT),
    "POST /api/memories/n1/undo": () =>
      json(
        { code: "changed_since", detail: "The memory was changed again later. Undo the later change first." },
        409,
      ),
  });
  await press("Undo r2");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("can't be undone as a whole");
  expect(alert.textContent).toContain("Undo the later change first");
});

test("older revisions load on demand", async () => {
  renderPane(AT, {
    "GET /api/memories/n1/revisions": ({ url }) =>
      json(url.includes("cursor=next") ? page([revision(1)]) : page([revision(2)], "next")),
  });
  await press("Show older revisions");
  expect(await screen.findByText("r1")).toBeTruthy();
});
