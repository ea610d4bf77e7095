/** Render a part of the drawer with its context and a mocked server. */

import type { ReactNode } from "react";
import { vi } from "vitest";
import type { Me } from "@/api/session";
import type { View } from "@/events/reducer";
import { json, lastSent, mockServer, renderInApp } from "@/testing/render";
import type { CurrentRun } from "../compaction/use-run";
import { DrawerContext, type DrawerPage } from "../drawer-context";
import { chat, me, page } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import { clearDraftCache } from "../drafts/store";
import { AT, ID, OWN, pack, planAnswer, POLICY, run, summary, view } from "./samples";

type Answers = Parameters<typeof mockServer>[0];

const QUIET: CurrentRun = {
  id: null,
  detail: null,
  state: null,
  isUnderway: false,
  stage: "",
  progress: 0,
  follow: () => undefined,
};

export const READ = {
  off_by: "",
  next_index: 12,
  unread_messages: 0,
  due_at: null,
  is_running: false,
  is_being_read: false,
  failure: null,
  last_run: null,
};

export const ANSWERS: Answers = {
  [`GET ${AT}`]: () => json(chat(ID)),
  [`GET ${AT}/context`]: () => json(pack()),
  [`GET ${AT}/summary`]: () => json(summary()),
  [`GET ${AT}/summary/versions`]: () => json(page([])),
  [`GET ${AT}/pins`]: () => json(page([])),
  [`GET ${AT}/exclusions`]: () => json(page([])),
  [`GET ${AT}/memories`]: () => json(page([])),
  [`GET ${AT}/extraction`]: () => json(READ),
  [`GET ${AT}/compactions`]: () => json(page([])),
  [`POST ${AT}/compactions?dry_run`]: planAnswer,
  [`GET ${AT}/compactions/r2`]: () => json(run()),
  [`GET ${AT}/live/series`]: () => json({ points: [], compactions: [] }),
  "GET /api/me/context": () => json(OWN),
  "GET /api/user-memory": () => json(page([])),
  "GET /api/policy": () => json(POLICY),
};

interface Options {
  view?: View | null;
  canWrite?: boolean;
  me?: Me;
  run?: Partial<CurrentRun>;
  answers?: Answers;
}

export function renderInDrawer(
  element: ReactNode,
  {
    view: current = view(),
    run: runChanges = {},
    canWrite = true,
    me: user = me(),
    answers = {},
  }: Options = {},
) {
  clearDraftCache();
  const requests = mockServer({ ...ANSWERS, ...answers });
  const showMessage = vi.fn<(index: number) => void>();
  const navigate = vi.fn<(page: DrawerPage) => void>();
  const value = { id: ID, view: current, run: { ...QUIET, ...runChanges }, canWrite, showMessage, navigate };
  const { container, unmount } = renderInApp(
    <InShell me={user}>
      <DrawerContext value={value}>{element}</DrawerContext>
    </InShell>,
  );
  return { requests, showMessage, navigate, container, unmount };
}

/** The body of the last matching request. */
export async function lastBody(
  requests: Request[],
  method: string,
  path: string,
): Promise<{ body: unknown; match: string | null }> {
  const request = lastSent(requests, method, path);
  const text = await request.text();
  return { body: text === "" ? null : JSON.parse(text), match: request.headers.get("If-Match") };
}
