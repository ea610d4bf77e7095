import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { json } from "@/testing/render";
import { page } from "@/testing/samples";
import { renderInDrawer, lastBody } from "../testing/in-drawer";
import { AT } from "../testing/samples";
import { ExclusionsSection } from "./exclusions-section";

const EXCLUDED = {
  id: "m5",
  index: 5,
  role: "user",
  name: "Alice",
  excerpt: "The password is …",
  token_count: 56,
  created_at: "2026-03-06T09:00:00Z",
};
const TAKES = { changed: ["m5"], compacted: [], frees_tokens: -56, summary_lines: [], pins: 0 };

test("excluded messages are listed with their tokens and position", async () => {
  const { showMessage } = renderInDrawer(<ExclusionsSection />, {
    answers: { [`GET ${AT}/exclusions`]: () => json(page([EXCLUDED])) },
  });
  expect(await screen.findByText("56 tokens")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Source: message 6, Alice" }));
  expect(showMessage).toHaveBeenCalledWith(5);
});

test("a message can be included again after a preview", async () => {
  const { requests } = renderInDrawer(<ExclusionsSection />, {
    answers: {
      [`GET ${AT}/exclusions`]: () => json(page([EXCLUDED])),
      [`POST ${AT}/exclusions`]: () => json(TAKES),
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Stop excluding message 6" }));
  expect((await screen.findByText(/^Adds/)).textContent).toBe("Adds ≈ 56 estimated live tokens.");
  await userEvent.click(screen.getByRole("button", { name: "Include message" }));
  expect(await screen.findByText("Included message 6 again")).toBeTruthy();
  const { body } = await lastBody(requests, "POST", `${AT}/exclusions`);
  expect(body).toEqual({ message_ids: ["m5"], excluded: false });
});

test("an empty list explains exclusions", async () => {
  renderInDrawer(<ExclusionsSection />);
  expect(await screen.findByText(/never sent or compacted/)).toBeTruthy();
});

test("including a compacted message takes no live tokens and restores its lines", async () => {
  const previewText = {
    ...TAKES,
    compacted: ["m5"],
    frees_tokens: 0,
    summary_lines: [{ field: "goals", text: "Ship" }],
  };
  renderInDrawer(<ExclusionsSection />, {
    answers: {
      [`GET ${AT}/exclusions`]: () => json(page([EXCLUDED])),
      [`POST ${AT}/exclusions`]: () => json(previewText),
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Stop excluding message 6" }));
  expect(await screen.findByText("It becomes part of the summary again.")).toBeTruthy();
  expect(screen.getByText("Restores 1 summary line that comes only from this message")).toBeTruthy();
});
