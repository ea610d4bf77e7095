/** Render a settings page with a mocked server. */

import { Route, Routes } from "react-router";
import type { Me } from "@/api/session";
import { json, mockServer, renderInApp } from "@/testing/render";
import { AS_MEMBER, me } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import SettingsPage from "../settings-page";
import { models, OWN_SETTINGS, policy, usage } from "./samples";

type Answers = Parameters<typeof mockServer>[0];

const ANSWERS: Answers = {
  "GET /api/models": () => json(models()),
  "GET /api/policy": () => json(policy()),
  "GET /api/me/context": () => json(OWN_SETTINGS),
  "GET /api/usage": () => json(usage()),
};

export const MEMBER = me(AS_MEMBER);

export function renderSettings(part: string, answers: Answers = {}, user: Me = me()): Request[] {
  const requests = mockServer({ ...ANSWERS, ...answers });
  renderInApp(
    <InShell me={user}>
      <Routes>
        <Route path="/settings/:part?" element={<SettingsPage />} />
      </Routes>
    </InShell>,
    `/settings/${part}`,
  );
  return requests;
}

/** The last matching request. */
export async function lastRequest(requests: Request[], method: string, path: string) {
  const request = requests.findLast((one) => one.method === method && new URL(one.url).pathname === path);
  if (request === undefined) throw new Error(`nobody asked ${method} ${path}`);
  const text = await request.text();
  return { body: text === "" ? null : (JSON.parse(text) as unknown), match: request.headers.get("If-Match") };
}
