import { expect, test } from "vitest";
import type { Message } from "@/api/messages";
import type { Observation } from "@/api/sessions";
import { comparisonOf, type Step, textOf, timelineOf, titleIn } from "./timeline-steps";

const at = (second: number) => `2026-11-25T10:00:${String(second).padStart(2, "0")}Z`;

function message(index: number, role: Message["role"], changes: Partial<Message> = {}): Message {
  return {
    id: `m${index}`,
    index,
    role,
    name: "",
    content: `Message ${index}`,
    parts: [],
    status: "complete",
    state: "live",
    token_count: 5,
    tokens_through: 5 * index,
    error_code: "",
    external_id: null,
    created_at: at(index * 10),
    used_count: 0,
    usage: null,
    ...changes,
  };
}

function observation(id: string, second: number, changes: Partial<Observation> = {}): Observation {
  return {
    id,
    kind: "tool",
    tool_name: "Edit",
    title: `Edit ${id}`,
    digest: "",
    files: [],
    is_error: false,
    agent_id: "",
    message_id: null,
    details: {},
    occurred_at: at(second),
    ...changes,
  };
}

const told = (steps: Step[]) =>
  steps.map((step) =>
    step.kind === "message" ? step.message.id : step.lines.map(({ title }) => title).join(", "),
  );

test("runs of tools are between the prompt and its reply, and neighbors are one list", () => {
  const steps = timelineOf(
    [message(0, "user"), message(2, "assistant")],
    [observation("a", 5), observation("b", 12), observation("c", 30)],
    false,
  );
  expect(told(steps)).toEqual(["m0", "Edit a, Edit b", "m2", "Edit c"]);
});

test("a tool's own messages are told by its observation", () => {
  const call = message(1, "assistant", {
    content: "",
    parts: [{ kind: "tool_call", name: "Edit", text: "{}" }],
  });
  const result = message(2, "tool", {
    content: "",
    parts: [{ kind: "tool_result", name: "Edit", text: "done" }],
  });
  const steps = timelineOf(
    [message(0, "user"), call, result],
    [observation("a", 20, { message_id: "m2" })],
    false,
  );
  expect(told(steps)).toEqual(["m0", "Edit a"]);
});

test("without an observation a tool's result is told by its message, with its own summary", () => {
  const part = {
    kind: "tool_result",
    name: "Bash",
    text: "a long output",
    summary: "3 tests passed",
  } as const;
  const [, step] = timelineOf(
    [message(0, "user"), message(1, "tool", { content: "", parts: [part] })],
    [],
    false,
  );
  expect(step?.kind === "lines" && step.lines[0]).toMatchObject({ title: "Bash", digest: "3 tests passed" });
});

test("observations before the first loaded message wait for the messages between", () => {
  const observations = [observation("a", 5), observation("b", 15)];
  expect(told(timelineOf([message(1, "assistant")], observations, true))).toEqual(["m1", "Edit b"]);
  expect(told(timelineOf([message(1, "assistant")], observations, false))).toEqual([
    "Edit a",
    "m1",
    "Edit b",
  ]);
  expect(told(timelineOf([], [observation("a", 5)], false))).toEqual(["Edit a"]);
});

test("what arrived late is shown where it happened", () => {
  const late = message(3, "user", { created_at: at(5) });
  expect(told(timelineOf([message(0, "user"), message(1, "assistant"), late], [], false))).toEqual([
    "m0",
    "m3",
    "m1",
  ]);
});

test("a deleted message keeps its place", () => {
  const deleted = message(1, "assistant", { content: "", state: "deleted" });
  expect(told(timelineOf([message(0, "user"), deleted], [], false))).toEqual(["m0", "m1"]);
});

test("the text of a message leaves calls and reasoning out", () => {
  const parts: Message["parts"] = [
    { kind: "reasoning", text: "hm" },
    { kind: "text", text: "Done." },
    { kind: "tool_call", name: "Edit", text: "{}" },
  ];
  expect(textOf(message(0, "assistant", { content: "", parts }))).toBe("Done.");
});

test.each([
  [
    { compared: 4, lost: ["Ship it in May"] },
    { compared: 4, lost: ["Ship it in May"] },
  ],
  [{ compared: 0, lost: [] }, null],
  [{ compared: "4", lost: [] }, null],
  [{ compared: 4 }, null],
  [null, null],
  ["text", null],
])("the comparison of %j", (details, comparison) => {
  expect(comparisonOf(details)).toEqual(comparison);
});

test.each([
  ["Edit /home/alice/shop/app/cart.py", "Edit app/cart.py"],
  ["Bash cat '/home/alice/shop/a.txt' /home/alice/shop/b.txt", "Bash cat 'a.txt' b.txt"],
  ["Bash cd /home/alice/shop/ && ls", "Bash cd /home/alice/shop/ && ls"],
  ["Read /mnt/home/alice/shop/a.txt", "Read /mnt/home/alice/shop/a.txt"],
  ["Read /home/alice/shop2/a.txt", "Read /home/alice/shop2/a.txt"],
])("paths of a title begin in the session's directory: %s", (title, shown) => {
  expect(titleIn(title, "/home/alice/shop")).toBe(shown);
});

test("a session without a directory, or in the root, shows paths in full", () => {
  expect(titleIn("Read /a.txt", "")).toBe("Read /a.txt");
  expect(titleIn("Read /a.txt", "/")).toBe("Read /a.txt");
});
