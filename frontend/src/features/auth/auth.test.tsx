import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes, useLocation } from "react-router";
import { expect, test } from "vitest";
import { json, mockServer, renderInApp } from "@/testing/render";
import { me } from "@/testing/samples";
import SignInPage from "./sign-in-page";
import SignUpPage from "./sign-up-page";

const signedOut = { "GET /api/me": () => json({ code: "not_signed_in", title: "Sign in" }, 401) };

function CurrentPath() {
  const { pathname, search } = useLocation();
  return <p>at {pathname + search}</p>;
}

function open(at: string | { pathname: string; state: object }) {
  const routes = (
    <Routes>
      <Route path="/sign-in" element={<SignInPage />} />
      <Route path="/sign-up" element={<SignUpPage />} />
      <Route path="*" element={<CurrentPath />} />
    </Routes>
  );
  return renderInApp(routes, at as string);
}

async function fill(email: string, password: string) {
  await userEvent.type(await screen.findByLabelText("Email"), email);
  await userEvent.type(screen.getByLabelText("Password", { selector: "input" }), password);
}

test("without a session the form is shown, and nobody is asked whether there is one", async () => {
  document.cookie = "signed_in=; Max-Age=0";
  const requests = mockServer(signedOut);
  open("/sign-in");
  expect(await screen.findByLabelText("Email")).toBeTruthy();
  expect(requests).toEqual([]);
});

test("signing in returns to this requested page", async () => {
  const requests = mockServer({ ...signedOut, "POST /api/sign-in": () => json(me()) });
  open({ pathname: "/sign-in", state: { from: "/c/7?m=3" } });
  await fill("alice@example.org", "correct horse");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  expect(await screen.findByText("at /c/7?m=3")).toBeTruthy();
  expect(await requests.at(-1)?.json()).toEqual({ email: "alice@example.org", password: "correct horse" });
});

test("a wrong password is reported once, and the input stays", async () => {
  mockServer({ ...signedOut, "POST /api/sign-in": () => json({ code: "wrong_credentials" }, 401) });
  open("/sign-in");
  await fill("alice@example.org", "wrong");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  expect((await screen.findByRole("alert")).textContent).toContain("That email and password don't match.");
  expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("alice@example.org");
});

test("after too many attempts the waiting time is shown", async () => {
  const refused = () =>
    Response.json({ code: "rate_limited" }, { status: 429, headers: { "Retry-After": "40" } });
  mockServer({ ...signedOut, "POST /api/sign-in": refused });
  open("/sign-in");
  await fill("alice@example.org", "wrong");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  expect((await screen.findByRole("alert")).textContent).toContain(
    "Too many attempts. Try again in 40 seconds.",
  );
});

test("an unreachable server is reported as such", async () => {
  mockServer({ ...signedOut, "POST /api/sign-in": () => Promise.reject(new TypeError("away")) });
  open("/sign-in");
  await fill("alice@example.org", "wrong");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  expect((await screen.findByRole("alert")).textContent).toContain("Can't reach the server.");
});

test("empty fields are reported without a request", async () => {
  const requests = mockServer(signedOut);
  open("/sign-in");
  await userEvent.click(await screen.findByRole("button", { name: "Sign in" }));
  expect(screen.getByText("Enter your email address.")).toBeTruthy();
  expect(screen.getByLabelText("Password", { selector: "input" }).getAttribute("aria-invalid")).toBe("true");
  expect(requests.every(({ method }) => method === "GET")).toBe(true);
});

test("field errors are shown next to their fields", async () => {
  const errors = [
    { pointer: "/password", code: "password_too_common", detail: "This password is too common." },
  ];
  mockServer({ ...signedOut, "POST /api/sign-up": () => json({ code: "weak_password", errors }, 400) });
  open("/sign-up");
  await fill("alice@example.org", "password12");
  await userEvent.click(screen.getByRole("button", { name: "Create account" }));
  const field = screen.getByLabelText("Password", { selector: "input" });
  await waitFor(() => expect(field.getAttribute("aria-invalid")).toBe("true"));
  expect(screen.getByText("This password is too common.")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("an email address that is taken is reported", async () => {
  mockServer({ ...signedOut, "POST /api/sign-up": () => json({ code: "email_taken" }, 409) });
  open("/sign-up");
  await fill("alice@example.org", "correct horse");
  await userEvent.click(screen.getByRole("button", { name: "Create account" }));
  expect((await screen.findByRole("alert")).textContent).toContain("already an account with this email");
});

test("a new account starts at the first page", async () => {
  const requests = mockServer({ ...signedOut, "POST /api/sign-up": () => json(me(), 201) });
  open("/sign-up");
  await userEvent.type(await screen.findByLabelText("Name"), "Alice");
  await fill("alice@example.org", "correct horse");
  await userEvent.click(screen.getByRole("button", { name: "Create account" }));
  expect(await screen.findByText("at /")).toBeTruthy();
  expect(await requests.at(-1)?.json()).toMatchObject({ name: "Alice" });
});

test("the password can be shown", async () => {
  mockServer(signedOut);
  open("/sign-in");
  const field = await screen.findByLabelText<HTMLInputElement>("Password", { selector: "input" });
  expect(field.type).toBe("password");
  await userEvent.click(screen.getByRole("button", { name: "Show password" }));
  expect(field.type).toBe("text");
});

test("a signed-in user does not see the form", async () => {
  mockServer({ "GET /api/me": () => json(me()) });
  open("/sign-in");
  expect(await screen.findByText("at /")).toBeTruthy();
});

test("an ended session is explained, and its draft is safe", async () => {
  mockServer(signedOut);
  open({ pathname: "/sign-in", state: { from: "/c/7", ended: true } });
  expect(await screen.findByText(/Your session ended/)).toBeTruthy();
});
