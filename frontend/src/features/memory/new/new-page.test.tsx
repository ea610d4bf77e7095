import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { kept } from "@/lib/local-storage";
import { json } from "@/testing/render";
import { besideTree, MEMBER, sent, VIEWER } from "../testing/in-memory";
import { node } from "../testing/samples";

const PREVIEW = { uri: "mem://user/preferences/x", category: "preferences", taken: false };

async function type(label: string, value: string) {
  fireEvent.change(await screen.findByLabelText(label), { target: { value } });
}

test("a memory is written down by its category and a name, and then shown", async () => {
  const asked = besideTree("/memory/new", {
    "POST /api/memories?dry_run": () =>
      json({ ...PREVIEW, uri: "mem://user/preferences/deploy-days-by-the-server" }),
    "POST /api/memories": () => json(node(), 201),
  });
  await type("Name", "Deploy days");
  const address = await screen.findByText(/^Its address/);
  expect(address.textContent).toBe("Its address: mem://user/preferences/deploy-days-by-the-server");
  await type("Text", "On Fridays.");
  await type("Tags", "deploys");
  await userEvent.click(screen.getByRole("button", { name: "Write it down" }));
  expect(await screen.findByText("at /memory/n/n1")).toBeTruthy();
  expect((await sent(asked, "POST", "/api/memories")).body).toMatchObject({
    category: "preferences",
    name: "Deploy days",
    content: "On Fridays.",
    tags: ["deploys"],
  });
});

test("a name that is taken gets a number, and that is said before it is written", async () => {
  const taken = { ...PREVIEW, uri: "mem://user/events/launch-2", taken: true };
  besideTree("/memory/new?uri=mem://user/events", { "POST /api/memories?dry_run": () => json(taken) });
  await type("Name", "Launch");
  const address = await screen.findByText(/^Its address/);
  expect(address.textContent).toBe(
    "Its address: mem://user/events/launch-2 (the name is taken, so it gets a number)",
  );
});

test("an address that is taken says so, and what was typed stays", async () => {
  besideTree("/memory/new?uri=mem://user/events/2026", {
    "POST /api/memories": () => json({ code: "address_taken", detail: "taken" }, 409),
  });
  await type("Address", "mem://user/events/2026/launch");
  const text = screen.getByLabelText<HTMLTextAreaElement>("Text");
  await type("Text", "We launched.");
  await userEvent.click(screen.getByRole("button", { name: "Write it down" }));
  expect(await screen.findByText("Something stands at this address already.")).toBeTruthy();
  expect(text.value).toBe("We launched.");
});

test("what was being written is kept by the browser until it is written down", async () => {
  besideTree("/memory/new");
  fireEvent.change(await screen.findByRole("textbox", { name: "Text" }), {
    target: { value: "Half a thou" },
  });
  await waitFor(() => expect(kept("memory:u1/w1/new/", null)).toMatchObject({ content: "Half a thou" }));
});

test("who keeps what the team shares says who is to see it", async () => {
  const asked = besideTree("/memory/new?uri=mem://agent/cases", {
    "POST /api/memories?dry_run": () => json(PREVIEW),
    "POST /api/memories": () => json(node(), 201),
  });
  await type("Name", "Counter");
  await type("Text", "A locked row.");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Who sees it" }), "true");
  await userEvent.click(screen.getByRole("button", { name: "Write it down" }));
  await screen.findByText("at /memory/n/n1");
  expect((await sent(asked, "POST", "/api/memories")).body).toMatchObject({ shared: true });
});

test("a member writes for themselves, and who may only read does not write", async () => {
  besideTree(
    "/memory/new?uri=mem://agent/cases",
    { "POST /api/memories?dry_run": () => json(PREVIEW) },
    MEMBER,
  );
  await type("Name", "Counter");
  expect(screen.queryByRole("combobox", { name: "Who sees it" })).toBeNull();
  besideTree("/memory/new", {}, VIEWER);
  expect(await screen.findByText("You may read here, not write.")).toBeTruthy();
});
