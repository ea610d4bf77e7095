import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { closeSocket } from "@/testing/live";
import { page } from "@/testing/samples";
import { renderMemoryPage, treeAnswer } from "../testing/in-memory";
import { folder, line, node } from "../testing/samples";

const EVENTS = "mem://user/events";
const LINES = {
  "mem://user": [folder(EVENTS, { child_count: 2 })],
  [EVENTS]: [line(`${EVENTS}/deploy`), line(`${EVENTS}/launch`)],
};

function item(name: string | RegExp) {
  return screen.getByRole("treeitem", { name });
}

function focused(): string | null | undefined {
  return document.activeElement?.getAttribute("data-name");
}

test("the three roots are open and show their categories", async () => {
  renderMemoryPage("/memory", { "GET /api/tree": treeAnswer(LINES) });
  expect(await screen.findByRole("treeitem", { name: "events 2 memories" })).toBeTruthy();
  expect(item("user").getAttribute("aria-expanded")).toBe("true");
  expect(item("patterns 0 memories")).toBeTruthy();
});

test("arrow keys move through the tree, open and close, and Enter selects", async () => {
  renderMemoryPage("/memory", {
    "GET /api/tree": treeAnswer(LINES),
    [`GET /api/memories/${EVENTS}/deploy`]: () => json(node()),
  });
  const events = await screen.findByRole("treeitem", { name: "events 2 memories" });
  events.focus();
  await userEvent.keyboard("{ArrowRight}");
  expect(events.getAttribute("aria-expanded")).toBe("true");
  await screen.findByRole("treeitem", { name: "deploy" });
  await userEvent.keyboard("{ArrowRight}");
  expect(focused()).toBe("deploy");
  await userEvent.keyboard("{ArrowDown}");
  expect(focused()).toBe("launch");
  await userEvent.keyboard("{ArrowLeft}{ArrowLeft}");
  expect(focused()).toBe("events");
  expect(screen.queryByRole("treeitem", { name: "deploy" })).toBeNull();
  await userEvent.keyboard("{Home}");
  expect(focused()).toBe("user");
  await userEvent.keyboard("{End}");
  expect(focused()).toBe("Empty");
  await userEvent.keyboard("p");
  expect(focused()).toBe("profile");
  await userEvent.keyboard("{Enter}");
  expect(screen.getByText("at /memory/at?uri=mem%3A%2F%2Fuser%2Fprofile")).toBeTruthy();
});

test("only the item that had the focus last is in the tab order", async () => {
  renderMemoryPage("/memory", { "GET /api/tree": treeAnswer(LINES) });
  const events = await screen.findByRole("treeitem", { name: "events 2 memories" });
  const reached = () => screen.getAllByRole("treeitem").filter(({ tabIndex }) => tabIndex === 0);
  expect(reached()).toEqual([item("user")]);
  events.focus();
  await waitFor(() => expect(reached()).toEqual([events]));
});

test("the selected item is marked, and its ancestors are open", async () => {
  renderMemoryPage("/memory/n/n1", {
    "GET /api/tree": treeAnswer({ [EVENTS]: [line(`${EVENTS}/deploy`, { id: "n1" })] }),
    "GET /api/memories/n1": () => json(node({ uri: `${EVENTS}/deploy` })),
  });
  const shown = await screen.findByRole("treeitem", { name: "deploy" });
  expect(shown.getAttribute("aria-selected")).toBe("true");
});

test("a large folder loads more on demand", async () => {
  renderMemoryPage("/memory/at?uri=mem://user/events", {
    "GET /api/tree": ({ url }) => {
      const { searchParams } = new URL(url);
      if (searchParams.get("uri") !== EVENTS) return json(page([]));
      return json(
        searchParams.get("cursor") === "next"
          ? page([line(`${EVENTS}/z`)])
          : page([line(`${EVENTS}/a`)], "next"),
      );
    },
  });
  (await screen.findByRole("treeitem", { name: "events 0 memories" })).focus();
  await userEvent.keyboard("{ArrowRight}");
  const more = await screen.findByRole("treeitem", { name: "Show more" });
  more.focus();
  await userEvent.keyboard("{Enter}");
  expect(await screen.findByRole("treeitem", { name: "z" })).toBeTruthy();
});

test("archived memories are shown on request", async () => {
  const requests = renderMemoryPage("/memory", { "GET /api/tree": treeAnswer(LINES) });
  await userEvent.click(await screen.findByRole("checkbox", { name: "Show archived" }));
  await waitFor(() => expect(requests.some(({ url }) => url.includes("archived=true"))).toBe(true));
});

test("a folder that could not be loaded can be retried", async () => {
  let attempts = 0;
  renderMemoryPage("/memory", {
    "GET /api/tree": ({ url }) => {
      if (new URL(url).searchParams.get("uri") !== "mem://sessions") return json(page([]));
      attempts += 1;
      return attempts === 1 ? json({ code: "busy" }, 503) : json(page([folder("mem://sessions/s1")]));
    },
  });
  await userEvent.click(await screen.findByText("Couldn't load. Try again"));
  expect(await screen.findByRole("treeitem", { name: "s1 0 memories" })).toBeTruthy();
});

test("without a connection the page says that it may be out of date", async () => {
  renderMemoryPage("/memory");
  closeSocket();
  expect(await screen.findByText(/^No connection\. What you see may be out of date/)).toBeTruthy();
});
