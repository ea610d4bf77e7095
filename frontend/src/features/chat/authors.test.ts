import { expect, test } from "vitest";
import { userMessage } from "@/testing/messages";
import { chat, me } from "@/testing/samples";
import { authorIn } from "./authors";

const UNSIGNED = userMessage({ id: "m1", index: 0, role: "user", name: "" });

test("the reader of a shared chat sees whose messages these are", () => {
  const shared = chat("c1", { owner_id: "u2", owner_name: "Lena", access: "read" });
  expect(authorIn(shared, null, me()).of(UNSIGNED)).toBe("Lena");
});

test("in one's own chat unsigned messages are one's own", () => {
  expect(authorIn(chat("c1", { owner_id: "u1" }), null, me()).of(UNSIGNED)).toBe("Alice");
});
