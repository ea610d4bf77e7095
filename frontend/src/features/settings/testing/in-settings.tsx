/** A page of the settings, with a server that knows the samples. */

import { Route, Routes } from "react-router";
import type { Me } from "@/api/session";
import { json, serve, show } from "@/testing/render";
import { AS_MEMBER, me } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import SettingsPage from "../settings-page";
import { models, policy, usage } from "./samples";

type Answers = Parameters<typeof serve>[0];

const ANSWERS: Answers = {
  "GET /api/models": () => json(models()),
  "GET /api/policy": () => json(policy()),
  "GET /api/usage": () => json(usage()),
};

export const MEMBER = me(AS_MEMBER);

export function inSettings(part: string, answers: Answers = {}, who: Me = me()): Request[] {
  const asked = serve({ ...ANSWERS, ...answers });
  show(
    <InShell me={who}>
      <Routes>
        <Route path="/settings/:part?" element={<SettingsPage />} />
      </Routes>
    </InShell>,
    `/settings/${part}`,
  );
  return asked;
}

/** The last request of this kind. */
export async function sent(asked: Request[], method: string, path: string) {
  const request = asked.findLast((one) => one.method === method && new URL(one.url).pathname === path);
  if (request === undefined) throw new Error(`nobody asked ${method} ${path}`);
  const text = await request.text();
  return { body: text === "" ? null : (JSON.parse(text) as unknown), match: request.headers.get("If-Match") };
}
