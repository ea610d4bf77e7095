import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { InboxItem, InboxMemory } from "@/api/inbox";
import { json } from "@/testing/render";
import { page } from "@/testing/samples";
import { lastRequest, renderMemoryPage, VIEWER } from "../testing/in-memory";

function remembered(changes: Partial<InboxMemory> = {}): InboxMemory {
  return {
    id: "n1",
    uri: "mem://user/profile/home",
    category: "profile",
    abstract: "I live in Oslo.",
    content: "I live in Oslo.",
    is_cut: false,
    tags: [],
    owner_id: "u1",
    shared: false,
    trust: "tool",
    arrival: "proposed",
    attribute: "lives_in",
    value: "Oslo",
    occurred_at: "2026-11-02T09:30:00Z",
    valid_from: null,
    version: 3,
    sources: [{ kind: "message", reference: "m1" }],
    quotes: [
      {
        message_id: "m1",
        conversation_id: "c1",
        conversation_title: "Moving",
        index: 1,
        role: "user",
        name: "Bob",
        speaker: "member",
        text: "I live in Oslo.",
        is_exact: true,
        start: 0,
        end: 15,
        extractor: "rules-1",
        rule: "self",
        confidence: 0.8,
      },
    ],
    ...changes,
  };
}

function item(changes: Partial<InboxItem> = {}): InboxItem {
  const memory = changes.memory ?? remembered();
  return {
    id: memory.id,
    kind: "proposal",
    memory,
    replaces: [],
    near_duplicates: [],
    reason: "untrusted",
    trust_path: [
      { step: "speaker", value: "member", name: "Bob" },
      { step: "trust", value: "tool", name: "" },
    ],
    created_at: "2026-11-02T09:30:00Z",
    ...changes,
  };
}

const SECOND = item({
  memory: remembered({ id: "n2", content: "I play chess.", abstract: "I play chess." }),
});
const CONFLICT = item({
  reason: "slot",
  replaces: [remembered({ id: "n9", content: "I live in Rome.", arrival: "accepted" })],
});

function server(items: readonly InboxItem[]) {
  const left = [...items];
  const decide = (ids: readonly string[]) => {
    for (const id of ids) {
      const place = left.findIndex((one) => one.id === id);
      if (place >= 0) left.splice(place, 1);
    }
    return json({ change_id: "ch1", ids, skipped: [], waiting: left.length });
  };
  const answers: Record<string, (request: Request) => Response | Promise<Response>> = {
    "GET /api/inbox": () => json(page(left)),
    "GET /api/inbox/count": () => json({ waiting: left.length }),
    "GET /api/inbox/decided": () => json(page([])),
    "POST /api/inbox/decisions": async (request) => decide(((await request.json()) as { ids: string[] }).ids),
    "POST /api/inbox/undo": () => {
      left.splice(0, left.length, ...items);
      return json({ ids: [items[0]?.id], waiting: left.length });
    },
  };
  for (const { id } of items)
    for (const path of ["approve", "replace", "keep-both", "decline", "edit", "merge"])
      answers[`POST /api/inbox/${id}/${path}`] = () => decide([id]);
  return answers;
}

function open(items: readonly InboxItem[] = [item(), SECOND], user = undefined as typeof VIEWER | undefined) {
  return renderMemoryPage("/memory/inbox", server(items), user);
}

async function title(text: string) {
  expect(await screen.findByRole("heading", { level: 2, name: text })).toBeTruthy();
}

test("an item shows its words, who said them and how far it is trusted", async () => {
  open();
  await title("I live in Oslo.");
  expect(screen.getByText("“I live in Oslo.”")).toBeTruthy();
  expect(screen.getByText("quote verified")).toBeTruthy();
  expect(screen.getByText("confidence 0.80")).toBeTruthy();
  expect(screen.getByText("not trusted yet")).toBeTruthy();
});

test("letters move and decide, with the version that was shown", async () => {
  const requests = open();
  await title("I live in Oslo.");
  await userEvent.keyboard("j");
  await title("I play chess.");
  await userEvent.keyboard("k");
  await title("I live in Oslo.");
  await userEvent.keyboard("a");
  await title("I play chess.");
  const { match } = await lastRequest(requests, "POST", "/api/inbox/n1/approve");
  expect(match).toBe('"3"');
  await userEvent.keyboard("r");
  expect(await screen.findByRole("heading", { name: "Inbox is empty" })).toBeTruthy();
});

test("the last decision is undone by Z", async () => {
  const requests = open();
  await title("I live in Oslo.");
  await userEvent.keyboard("a");
  expect(await screen.findByText("Last: approved “I live in Oslo.”")).toBeTruthy();
  await userEvent.keyboard("z");
  expect(await screen.findByText("Undone. It waits again")).toBeTruthy();
  const { body } = await lastRequest(requests, "POST", "/api/inbox/undo");
  expect(body).toEqual({ change_id: "ch1" });
});

test("a contradiction shows both texts with the words that differ, and S replaces the old one", async () => {
  const requests = open([CONFLICT]);
  await title("I live in Oslo.");
  expect(screen.getByText("Rome").tagName).toBe("DEL");
  expect(screen.getByText("Oslo").tagName).toBe("INS");
  await userEvent.keyboard("s");
  expect(await screen.findByText("Replaced. The old memory is history")).toBeTruthy();
  await lastRequest(requests, "POST", "/api/inbox/n1/replace");
});

test("the first choice is to keep both, unless the evidence says that one replaces the other", async () => {
  open([CONFLICT, { ...CONFLICT, id: "i9", memory: { ...CONFLICT.memory, id: "n9" }, reason: "advised" }]);
  await title("I live in Oslo.");
  const choices = () =>
    screen.getAllByRole("button", { name: /^(Replace old|Keep both)/ }).map((one) => one.textContent);
  expect(choices()[0]).toMatch(/^Replace old/);
  await userEvent.keyboard("j");
  await waitFor(() => expect(choices()[0]).toMatch(/^Keep both/));
});

test("A uses both memories of a contradiction", async () => {
  const requests = open([CONFLICT]);
  await title("I live in Oslo.");
  await userEvent.keyboard("a");
  expect(await screen.findByText("Both stay in use")).toBeTruthy();
  await lastRequest(requests, "POST", "/api/inbox/n1/keep-both");
});

test("what is typed into the form decides nothing, and the edit is sent with the approval", async () => {
  const requests = open();
  await title("I live in Oslo.");
  await userEvent.keyboard("e");
  const box = await screen.findByRole("textbox", { name: "Text" });
  await userEvent.clear(box);
  await userEvent.type(box, "Bob lives in Oslo, as far as I know.");
  await userEvent.click(screen.getByRole("button", { name: "Approve" }));
  expect(await screen.findByText("Approved with your changes")).toBeTruthy();
  const { body } = await lastRequest(requests, "POST", "/api/inbox/n1/edit");
  expect(body).toEqual({ content: "Bob lives in Oslo, as far as I know." });
});

test("an edit of a contradiction replaces the old memory or keeps both, as its button says", async () => {
  const requests = open([CONFLICT]);
  await title("I live in Oslo.");
  await userEvent.keyboard("e");
  await userEvent.click(await screen.findByRole("button", { name: "Save and keep both" }));
  const { body } = await lastRequest(requests, "POST", "/api/inbox/n1/edit");
  expect(body).toEqual({ replaces: false });
});

test("an item is merged into a near-duplicate", async () => {
  const near = { memory: remembered({ id: "n8", content: "Bob lives in Oslo." }), similarity: 0.91 };
  const requests = open([item({ near_duplicates: [near] })]);
  await title("I live in Oslo.");
  expect(screen.getByText("91% alike")).toBeTruthy();
  await userEvent.keyboard("m");
  const form = await screen.findByRole("form", { name: "Merge into" });
  await userEvent.click(within(form).getByRole("button", { name: "Merge" }));
  await waitFor(() => expect(screen.queryByRole("form")).toBeNull());
  const { body } = await lastRequest(requests, "POST", "/api/inbox/n1/merge");
  expect(body).toEqual({ into_id: "n8", content: "Bob lives in Oslo.\nI live in Oslo." });
});

test("selected items are decided together", async () => {
  const requests = open();
  await title("I live in Oslo.");
  await userEvent.keyboard("xj");
  await title("I play chess.");
  await userEvent.keyboard("x");
  await userEvent.click(
    within(await screen.findByRole("group", { name: "2 selected" })).getByRole("button", { name: "Decline" }),
  );
  expect(await screen.findByText("2 declined")).toBeTruthy();
  const { body } = await lastRequest(requests, "POST", "/api/inbox/decisions");
  expect(body).toEqual({ ids: ["n1", "n2"], decision: "decline" });
});

test("a refused decision says that it was decided elsewhere", async () => {
  renderMemoryPage("/memory/inbox", {
    ...server([item()]),
    "POST /api/inbox/n1/approve": () =>
      json({ code: "already_decided", detail: "This was decided already." }, 409),
  });
  await title("I live in Oslo.");
  await userEvent.keyboard("a");
  expect(await screen.findByText("This was decided already, maybe in another tab.")).toBeTruthy();
});

test("a viewer reads, and letters decide nothing", async () => {
  const requests = open([item()], VIEWER);
  await title("I live in Oslo.");
  expect(screen.queryByRole("button", { name: "Approve" })).toBeNull();
  await userEvent.keyboard("arx");
  expect(requests.filter(({ method }) => method === "POST")).toEqual([]);
});

test("a source is taken out of use after its effect was shown", async () => {
  const effect = { affected: 2, detached: 1, restored: 0, waiting: 1 };
  const requests = renderMemoryPage("/memory/inbox", {
    ...server([item()]),
    "POST /api/inbox/quarantine?dry_run": () => json({ ...effect, change_id: null }),
    "POST /api/inbox/quarantine": () => json({ ...effect, change_id: "ch2" }),
  });
  await title("I live in Oslo.");
  await userEvent.click(screen.getByRole("button", { name: "Everything from this source…" }));
  await userEvent.click(screen.getByRole("button", { name: "Take out of use…" }));
  expect(
    await screen.findByText(/^2 memories wait for approval again\. 1 memory with other sources stays\./),
  ).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Take out of use" }));
  expect(await screen.findByText("2 memories wait again")).toBeTruthy();
  const { body } = await lastRequest(requests, "POST", "/api/inbox/quarantine");
  expect(body).toEqual({ source: { kind: "conversation", reference: "c1" }, action: "quarantine" });
});

test("decisions are listed, and those in force can be undone", async () => {
  const decided = {
    change_id: "ch7",
    verdict: "decline",
    memory_id: "n7",
    uri: "mem://user/events/x",
    text: "We met.",
    count: 2,
    actor_name: "Alice",
    decided_at: "2026-11-02T09:30:00Z",
    undone: false,
  };
  const requests = renderMemoryPage("/memory/inbox/decided", {
    ...server([]),
    "GET /api/inbox/decided": () => json(page([decided, { ...decided, change_id: "ch6", undone: true }])),
  });
  expect(await screen.findAllByText("declined")).toHaveLength(2);
  expect(screen.getAllByRole("button", { name: "Undo: We met." })).toHaveLength(1);
  await userEvent.click(screen.getByRole("button", { name: "Undo: We met." }));
  expect(await screen.findByText("Undone. It waits again")).toBeTruthy();
  const { body } = await lastRequest(requests, "POST", "/api/inbox/undo");
  expect(body).toEqual({ change_id: "ch7" });
});
