/** A part of the drawer as it stands in it, with a server that knows the sample conversation. */

import type { ReactNode } from "react";
import { vi } from "vitest";
import type { Me } from "@/api/session";
import type { View } from "@/events/reducer";
import { json, lastSent, serve, show } from "@/testing/render";
import type { CurrentRun } from "../compaction/use-run";
import { DrawerContext, type DrawerPage } from "../drawer-context";
import { chat, me, page } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import { rereadWriting } from "../drafts/store";
import { AT, ID, OWN, pack, planned, POLICY, run, summary, view } from "./samples";

type Answers = Parameters<typeof serve>[0];

const QUIET: CurrentRun = {
  id: null,
  detail: null,
  state: null,
  isUnderway: false,
  stage: "",
  progress: 0,
  follow: () => undefined,
};

export const ANSWERS: Answers = {
  [`GET ${AT}`]: () => json(chat(ID)),
  [`GET ${AT}/context`]: () => json(pack()),
  [`GET ${AT}/summary`]: () => json(summary()),
  [`GET ${AT}/summary/versions`]: () => json(page([])),
  [`GET ${AT}/pins`]: () => json(page([])),
  [`GET ${AT}/exclusions`]: () => json(page([])),
  [`GET ${AT}/compactions`]: () => json(page([])),
  [`POST ${AT}/compactions?dry_run`]: planned,
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

export function inDrawer(
  element: ReactNode,
  { view: seen = view(), run: known = {}, canWrite = true, me: who = me(), answers = {} }: Options = {},
) {
  rereadWriting();
  const asked = serve({ ...ANSWERS, ...answers });
  const onShow = vi.fn<(index: number) => void>();
  const go = vi.fn<(page: DrawerPage) => void>();
  const value = { id: ID, view: seen, run: { ...QUIET, ...known }, canWrite, onShow, go };
  const { container, unmount } = show(
    <InShell me={who}>
      <DrawerContext value={value}>{element}</DrawerContext>
    </InShell>,
  );
  return { asked, onShow, go, container, unmount };
}

/** What was sent with the last request of this kind. */
export async function sent(
  asked: Request[],
  method: string,
  path: string,
): Promise<{ body: unknown; match: string | null }> {
  const request = lastSent(asked, method, path);
  const text = await request.text();
  return { body: text === "" ? null : JSON.parse(text), match: request.headers.get("If-Match") };
}
