import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { readStored } from "@/lib/local-storage";
import { json } from "@/testing/render";
import { renderPane, MEMBER, lastRequest, VIEWER } from "../testing/in-memory";
import { node } from "../testing/samples";

const PREVIEW = { uri: "mem://user/preferences/x", category: "preferences", taken: false };

async function type(label: string, value: string) {
  fireEvent.change(await screen.findByLabelText(label), { target: { value } });
}

test("a memory is created from a category and a name, and then shown", async () => {
  const requests = renderPane("/memory/new", {
    "POST /api/memories?dry_run": () =>
      json({ ...PREVIEW, uri: "mem://user/preferences/deploy-days-by-the-server" }),
    "POST /api/memories": () => json(node(), 201),
  });
  await type("Name", "Deploy days");
  const address = await screen.findByText(/^Address/);
  expect(address.textContent).toBe("Address: mem://user/preferences/deploy-days-by-the-server");
  await type("Text", "On Fridays.");
  await type("Tags", "deploys");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("at /memory/n/n1")).toBeTruthy();
  expect((await lastRequest(requests, "POST", "/api/memories")).body).toMatchObject({
    category: "preferences",
    name: "Deploy days",
    content: "On Fridays.",
    tags: ["deploys"],
  });
});

test("a name that is taken gets a number, which is shown before saving", async () => {
  const takenAnswer = { ...PREVIEW, uri: "mem://user/events/launch-2", taken: true };
  renderPane("/memory/new?uri=mem://user/events", { "POST /api/memories?dry_run": () => json(takenAnswer) });
  await type("Name", "Launch");
  const address = await screen.findByText(/^Address/);
  expect(address.textContent).toBe(
    "Address: mem://user/events/launch-2 (the name is taken, so a number is added)",
  );
});

test("an address that is taken is reported, and the input stays", async () => {
  renderPane("/memory/new?uri=mem://user/events/2026", {
    "POST /api/memories": () => json({ code: "address_taken", detail: "taken" }, 409),
  });
  await type("Address", "mem://user/events/2026/launch");
  const text = screen.getByLabelText<HTMLTextAreaElement>("Text");
  await type("Text", "We launched.");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("This address is already taken.")).toBeTruthy();
  expect(text.value).toBe("We launched.");
});

test("the browser stores the draft until it is saved", async () => {
  renderPane("/memory/new");
  fireEvent.change(await screen.findByRole("textbox", { name: "Text" }), {
    target: { value: "Half a thou" },
  });
  await waitFor(() =>
    expect(readStored("memory:u1/w1/new/", null)).toMatchObject({ content: "Half a thou" }),
  );
});

test("a curator chooses who can see a team memory", async () => {
  const requests = renderPane("/memory/new?uri=mem://agent/cases", {
    "POST /api/memories?dry_run": () => json(PREVIEW),
    "POST /api/memories": () => json(node(), 201),
  });
  await type("Name", "Counter");
  await type("Text", "A locked row.");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Visible to" }), "true");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("at /memory/n/n1");
  expect((await lastRequest(requests, "POST", "/api/memories")).body).toMatchObject({ shared: true });
});

test("a member creates private memories, and a viewer none", async () => {
  renderPane(
    "/memory/new?uri=mem://agent/cases",
    { "POST /api/memories?dry_run": () => json(PREVIEW) },
    MEMBER,
  );
  await type("Name", "Counter");
  expect(screen.queryByRole("combobox", { name: "Visible to" })).toBeNull();
  renderPane("/memory/new", {}, VIEWER);
  expect(await screen.findByText("Read only. Your role can't add memories.")).toBeTruthy();
});
