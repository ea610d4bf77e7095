import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { OMITTED } from "../testing/pack-metadata";
import {
  AT,
  compactedPack,
  EMPTY,
  ESTIMATOR,
  HEALTHY,
  layer,
  message,
  pack,
  POLICY,
  view,
} from "../testing/samples";
import { renderInDrawer, lastBody } from "../testing/in-drawer";
import { Usage } from "./usage";

const USED = {
  layer: "L5_jit",
  score: 2.5,
  similarity: 0.6,
  chance: null,
  tokens: 12,
  uri: "",
  is_changed: false,
  valid_to: null,
  archived_at: null,
  index: null,
  role: "",
  name: "",
  conversation_id: null,
  conversation_title: "",
};

const FREES = { changed: ["m39"], compacted: [], frees_tokens: 1204, summary_lines: [], pins: 1 };

test("usage, limit and their sources are shown", async () => {
  renderInDrawer(<Usage />);
  expect((await screen.findAllByText("≈ 4,960"))[0]?.title).toBe("Estimated");
  expect(await screen.findByText("limit: server default")).toBeTruthy();
  expect(screen.getByText("Estimated by characters ÷ 4.")).toBeTruthy();
});

test.each([
  ["user", "your settings"],
  ["conversation", "this chat"],
] as const)("a limit set by the %s is described as that of %s", async (budget_source, from) => {
  renderInDrawer(<Usage />, { answers: { [`GET ${AT}/context`]: () => json(pack({ budget_source })) } });
  expect(await screen.findByText(`limit: ${from}`)).toBeTruthy();
});

test("a calibrated estimator shows its factor and basis, and what it does not count", async () => {
  const estimator = { ...ESTIMATOR, name: "o200k_base", factor: 1.08, calls: 34 };
  renderInDrawer(<Usage />, { answers: { [`GET ${AT}/context`]: () => json(pack({ estimator })) } });
  const counted = await screen.findByText(/^Counted by o200k_base × 1.08, calibrated from 34 replies\./);
  expect(counted.textContent).toMatch(/Single messages and lines are estimated: characters ÷ 4\.$/);
});

test("an unavailable estimator is named", async () => {
  const estimator = { ...ESTIMATOR, fallback_from: "cl100k_base" };
  renderInDrawer(<Usage />, { answers: { [`GET ${AT}/context`]: () => json(pack({ estimator })) } });
  const told = "cl100k_base couldn't be loaded; estimated by characters ÷ 4.";
  expect(await screen.findByText(told)).toBeTruthy();
});

test("the parts of a long conversation add up to the usage", async () => {
  const { container } = renderInDrawer(<Usage />, {
    answers: { [`GET ${AT}/context`]: () => json(compactedPack()) },
  });
  const table = await screen.findByRole("table");
  expect(within(table).getByRole("row", { name: "Earlier (shortened) 800" })).toBeTruthy();
  const cells = within(table).getAllByRole("cell");
  const numbers = cells.map(({ textContent }) => Number(textContent.replace(",", "")));
  expect(numbers.reduce((sum, one) => sum + one, 0)).toBe(12_000);
  expect(screen.getByRole("meter").getAttribute("aria-valuenow")).toBe("5760");
  expect(container.querySelector("[class*=strip] .p-earlier")).toBeTruthy();
});

test("earlier messages are listed as their summaries", async () => {
  const { showMessage } = renderInDrawer(<Usage />, {
    answers: { [`GET ${AT}/context`]: () => json(compactedPack()) },
  });
  await userEvent.click(await screen.findByRole("button", { name: /^Earlier \(shortened\)/ }));
  expect(await screen.findByText("#11–110, summarized")).toBeTruthy();
  expect(screen.getByText("12 messages quoted")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Show message 111, the first of these" }));
  expect(showMessage).toHaveBeenCalledWith(110);
});

test("a summary without lines still shows its text", async () => {
  const bare = pack({}, { rolling_summary: EMPTY });
  renderInDrawer(<Usage />, { answers: { [`GET ${AT}/context`]: () => json(bare) } });
  await userEvent.click(await screen.findByRole("button", { name: /^Summary/ }));
  expect(await screen.findByText(/Summary of the conversation so far/)).toBeTruthy();
});

test("the parts are also available as a table", async () => {
  renderInDrawer(<Usage />);
  const table = await screen.findByRole("table");
  expect(within(table).getByRole("row", { name: "Recent (in full) 4,000" })).toBeTruthy();
});

test("before a compaction its result is estimated, just after one it is counted", async () => {
  renderInDrawer(<Usage />);
  expect((await screen.findByText(/after/)).textContent).toMatch(/≈ /);
});

test("just after a compaction the real size is shown", async () => {
  renderInDrawer(<Usage />, { view: view({ health: { ...HEALTHY, status: "compacted", tone: "ok" } }) });
  expect((await screen.findByText(/after/)).textContent).toBe("4,960 counted after");
});

test("without automatic compaction there is no threshold", async () => {
  const off = { ...POLICY, effective: { ...POLICY.effective, auto_compact: false } };
  renderInDrawer(<Usage />, { answers: { "GET /api/policy": () => json(off) } });
  await screen.findByRole("table");
  expect(screen.queryByText("compacts at 8,000 live")).toBeNull();
});

test("a part lists its items with their tokens", async () => {
  renderInDrawer(<Usage />);
  await userEvent.click(await screen.findByRole("button", { name: /^Recent \(in full\)/ }));
  expect(await screen.findByText("Message number 39")).toBeTruthy();
});

test("a message is excluded after a preview of what that frees", async () => {
  const { requests } = renderInDrawer(<Usage />, {
    answers: { [`POST ${AT}/exclusions`]: () => json(FREES) },
  });
  await userEvent.click(await screen.findByRole("button", { name: /^Recent \(in full\)/ }));
  await userEvent.click(await screen.findByRole("button", { name: "Exclude message 40" }));
  expect(await screen.findByText("≈ 1,204")).toBeTruthy();
  expect(screen.getByText("Keeps 1 pin made from it")).toBeTruthy();
  expect(requests.at(-1)?.url).toContain("dry_run=true");
  await userEvent.click(screen.getByRole("button", { name: "Exclude message" }));
  expect(await screen.findByText("Excluded message 40, ≈ 1,204 live tokens freed")).toBeTruthy();
  expect((await lastBody(requests, "POST", `${AT}/exclusions`)).body).toEqual({
    message_ids: ["m39"],
    excluded: true,
  });
  await userEvent.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(async () =>
    expect((await lastBody(requests, "POST", `${AT}/exclusions`)).body).toEqual({
      message_ids: ["m39"],
      excluded: false,
    }),
  );
});

test("a message in the list can be shown in the thread", async () => {
  const { showMessage } = renderInDrawer(<Usage />);
  await userEvent.click(await screen.findByRole("button", { name: /^Recent \(in full\)/ }));
  await userEvent.click(await screen.findByRole("button", { name: "Show message 39" }));
  expect(showMessage).toHaveBeenCalledWith(38);
});

test("a budget that is too small is reported with its reason", async () => {
  const problem = {
    status: 422,
    code: "budget_exceeded",
    detail: "The fixed parts need 5,458 tokens. The budget is 4,000.",
  };
  renderInDrawer(<Usage />, { answers: { [`GET ${AT}/context`]: () => json(problem, 422) } });
  expect(await screen.findByText(problem.detail)).toBeTruthy();
  expect(screen.getByText("budget_exceeded")).toBeTruthy();
});

test("omitted parts do not break the list", async () => {
  const bare = pack({}, { user_memory: [] });
  renderInDrawer(<Usage />, { answers: { [`GET ${AT}/context`]: () => json(bare) } });
  await userEvent.click(await screen.findByRole("button", { name: /^About you/ }));
  expect(await screen.findByText("Empty.")).toBeTruthy();
});

test("a tool message is described by what it did", async () => {
  const parts = [
    { kind: "tool_result", name: "search", text: "Three invoices", summary: "3 found" },
  ] as const;
  const messages = pack().recent_messages.map((message) => ({ ...message, content: "", parts: [...parts] }));
  renderInDrawer(<Usage />, {
    answers: { [`GET ${AT}/context`]: () => json(pack({}, { recent_messages: messages })) },
  });
  await userEvent.click(await screen.findByRole("button", { name: /^Recent \(in full\)/ }));
  expect((await screen.findAllByText("Result of search: 3 found")).length).toBe(2);
});

test("a reader sees no controls to pin or exclude", async () => {
  renderInDrawer(<Usage />, { canWrite: false });
  await userEvent.click(await screen.findByRole("button", { name: /^Recent \(in full\)/ }));
  expect(await screen.findByRole("button", { name: "Show message 40" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^(Pin|Exclude) message/ })).toBeNull();
});

test("excluding a compacted message frees no live tokens, and its lines are listed", async () => {
  const told = {
    ...FREES,
    compacted: ["m39"],
    frees_tokens: 0,
    summary_lines: [{ field: "goals", text: "Ship" }],
  };
  renderInDrawer(<Usage />, { answers: { [`POST ${AT}/exclusions`]: () => json(told) } });
  await userEvent.click(await screen.findByRole("button", { name: /^Recent \(in full\)/ }));
  await userEvent.click(await screen.findByRole("button", { name: "Exclude message 40" }));
  expect(await screen.findByText("Already compacted: only the summary mentions it.")).toBeTruthy();
  expect(screen.getByText("Removes 1 summary line that comes only from this message")).toBeTruthy();
});

test("messages that are not sent in full are named next to the bar", async () => {
  const omitted = { ...OMITTED, messages_before: 12 };
  renderInDrawer(<Usage />, { answers: { [`GET ${AT}/context`]: () => json(pack({ omitted })) } });
  expect(await screen.findByText("Messages before 13 are shortened.")).toBeTruthy();
});

test("what was retrieved for the last reply is listed with its source, score and tokens", async () => {
  const items = [
    { ...USED, id: "n1", kind: "memory", uri: "mem://user/events/house", quote: "The key lies there." },
    { ...USED, id: "m4", kind: "message", index: 4, role: "user", quote: "It is blue." },
  ];
  const answers = { [`GET ${AT}/messages/m39/used`]: () => json({ items, unavailable: 0 }) };
  const messages = [message(38), message(39, { used_count: 2 })];
  const { showMessage } = renderInDrawer(<Usage />, { answers, view: view({ messages }) });
  await userEvent.click(await screen.findByRole("button", { name: /^Retrieved/ }));
  const memory = await screen.findByRole("link", { name: "Open the memory" });
  expect(memory.getAttribute("href")).toBe("/memory/n/n1");
  expect(screen.getByText("Retrieved for the last reply")).toBeTruthy();
  expect(screen.getAllByText("score 2.50 · 60% similar · ≈ 12 tokens")).toHaveLength(2);
  await userEvent.click(screen.getByRole("button", { name: "message 5" }));
  expect(showMessage).toHaveBeenCalledWith(4);
});

test("a retrieved message of another chat links to that chat", async () => {
  const item = {
    id: "m4",
    kind: "message" as const,
    origin: "Alice 2026-03-01",
    text: "The hotel is near the Pantheon.",
    correction: "",
    index: 4,
    conversation_id: "c9",
    conversation_title: "Trip to Rome",
    score: 2.5,
    similarity: 0.6,
    chance: null,
    tokens: 12,
    again: false,
  };
  renderInDrawer(<Usage />, {
    answers: { [`GET ${AT}/context`]: () => json(pack({}, { retrieved: [item] })) },
  });
  await userEvent.click(await screen.findByRole("button", { name: /^Retrieved/ }));
  const link = await screen.findByRole("link", { name: "“Trip to Rome”, message 5" });
  expect(link.getAttribute("href")).toBe("/c/c9?m=4");
});

test("the memories of the profile and the preferences are part of what is sent about you", async () => {
  const uri = "mem://user/profile/work";
  const memories = [{ id: "n1", uri, text: "Leads a team of four.", tokens: 14 }];
  const layers = [layer("L0_identity", { used: 30, memories }), ...pack().layers.slice(1)];
  renderInDrawer(<Usage />, { answers: { [`GET ${AT}/context`]: () => json(pack({}, { layers })) } });
  await userEvent.click(await screen.findByRole("button", { name: /^About you/ }));
  expect(await screen.findByText("Leads a team of four.")).toBeTruthy();
  expect(screen.getByRole("link", { name: uri }).getAttribute("href")).toBe("/memory/n/n1");
});

test("what is known about the topics is a part of its own once there is any", async () => {
  const uri = "mem://user/events/second-shop";
  const memories = [{ id: "n1", uri, text: "The second shop opened.", tokens: 14 }];
  const layers = [...pack().layers.slice(0, 2), layer("L2_topic", { used: 30, memories })];
  const { tokens } = pack().metadata;
  renderInDrawer(<Usage />, {
    answers: { [`GET ${AT}/context`]: () => json(pack({ tokens: { ...tokens, topics: 30 } }, { layers })) },
  });
  await userEvent.click(await screen.findByRole("button", { name: /^Topics/ }));
  expect(await screen.findByText("The second shop opened.")).toBeTruthy();
  expect(screen.getByRole("link", { name: uri }).getAttribute("href")).toBe("/memory/n/n1");
  expect(screen.queryByRole("button", { name: /^Entities/ })).toBeNull();
});
