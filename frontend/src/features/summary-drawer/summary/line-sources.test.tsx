import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { AT, EMPTY, line, summary, view } from "../testing/samples";
import { renderInDrawer } from "../testing/in-drawer";
import { SummarySection } from "./summary-section";

test("a source opens its message", async () => {
  const { showMessage } = renderInDrawer(<SummarySection />);
  await userEvent.click(await screen.findByRole("button", { name: "Source: message 3, user" }));
  expect(showMessage).toHaveBeenCalledWith(2);
});

test("a source that is not loaded is fetched", async () => {
  const far = { id: "m9", index: 9, role: "tool", name: "git", content: "…" };
  renderInDrawer(<SummarySection />, {
    answers: {
      [`GET ${AT}/summary`]: () => json(summary({ ...EMPTY, goals: [line("Ship", ["m9"])] })),
      [`GET ${AT}/messages`]: () => json({ data: [far], has_more: false }),
    },
    view: view({ messages: [] }),
  });
  expect(await screen.findByRole("button", { name: "Source: message 10, git" })).toBeTruthy();
});

test("the sources of all lines are fetched in one request", async () => {
  const ids = ["m7", "m8", "m9"];
  const far = ids.map((id, place) => ({ id, index: 7 + place, role: "user", name: "", content: "…" }));
  const { requests } = renderInDrawer(<SummarySection />, {
    answers: {
      [`GET ${AT}/summary`]: () =>
        json(summary({ ...EMPTY, goals: [line("Ship", ["m7"]), line("Rest", ["m8", "m9"])] })),
      [`GET ${AT}/messages`]: () => json({ data: far, has_more: false }),
    },
    view: view({ messages: [] }),
  });
  expect(await screen.findByRole("button", { name: "Source: message 10, user" })).toBeTruthy();
  expect(requests.filter(({ url }) => new URL(url).pathname.endsWith("/messages"))).toHaveLength(1);
});

test("a missing source says so", async () => {
  renderInDrawer(<SummarySection />, {
    answers: {
      [`GET ${AT}/summary`]: () => json(summary({ ...EMPTY, goals: [line("Ship", ["m9"])] })),
      [`GET ${AT}/messages`]: () => json({ data: [], has_more: false }),
    },
    view: view({ messages: [] }),
  });
  expect(await screen.findByText("source missing")).toBeTruthy();
});

test("in a shared chat a source shows its author", async () => {
  const conversation = {
    title: "A talk",
    archived_at: null,
    edited: 1,
    share_count: 1,
    private_memory_when_shared: false,
  };
  renderInDrawer(<SummarySection />, {
    answers: {
      [`GET ${AT}/messages`]: () =>
        json({ data: [{ id: "m2", index: 2, role: "user", name: "Bob", content: "…" }], has_more: false }),
    },
    view: view({ conversation }),
  });
  expect(await screen.findByRole("button", { name: "Source: message 3, Bob" })).toBeTruthy();
  expect(screen.getByText("from a user")).toBeTruthy();
});
