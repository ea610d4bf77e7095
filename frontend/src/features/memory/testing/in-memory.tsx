/** Render the memory page or its right pane with a mocked server. */

import type { ReactNode } from "react";
import { Outlet, Route, Routes, useLocation } from "react-router";
import type { Me } from "@/api/session";
import { json, lastSent, mockServer, renderInApp } from "@/testing/render";
import { AS_MEMBER, AS_VIEWER, me, page } from "@/testing/samples";
import { fakeSockets, InLive } from "@/testing/live";
import { InShell } from "@/testing/shell";
import { FindPage } from "../find/find-page";
import { ImportPage } from "../import/import-page";
import MemoryPage from "../memory-page";
import { NewPage } from "../new/new-page";
import { FolderPage, NodePage } from "../node/node-page";
import { WithCategories } from "../with-categories";
import { CATEGORIES, node, revision } from "./samples";

type Answers = Parameters<typeof mockServer>[0];

const ANSWERS: Answers = {
  "GET /api/policy": () => json({ categories: CATEGORIES }),
  "GET /api/tree": () => json(page([])),
  "GET /api/memories": () => json({ code: "not_found" }, 404),
  "GET /api/memories/n1": () => json(node()),
  "GET /api/memories/n1/revisions": () => json(page([revision(1)])),
};

export const MEMBER = me(AS_MEMBER);
export const VIEWER = me(AS_VIEWER);

/** The whole page. */
export function renderMemoryPage(at: string, answers: Answers = {}, user: Me = me()): Request[] {
  fakeSockets();
  return renderRoutes(
    <Route
      path="/memory/*"
      element={
        <InLive>
          <MemoryPage />
        </InLive>
      }
    />,
    at,
    answers,
    user,
  );
}

/** Without header and tree. */
export function renderPane(at: string, answers: Answers = {}, user: Me = me()): Request[] {
  const pane = (
    <Route
      path="/memory"
      element={
        <WithCategories>
          <Outlet />
        </WithCategories>
      }
    >
      <Route path="n/:nodeId" element={<NodePage />} />
      <Route path="at" element={<FolderPage />} />
      <Route path="find" element={<FindPage />} />
      <Route path="new" element={<NewPage />} />
      <Route path="import" element={<ImportPage />} />
    </Route>
  );
  return renderRoutes(pane, at, answers, user);
}

function renderRoutes(routes: ReactNode, at: string, answers: Answers, user: Me): Request[] {
  const requests = mockServer({ ...ANSWERS, ...answers });
  renderInApp(
    <InShell me={user}>
      <Routes>
        {routes}
        <Route path="*" element={null} />
      </Routes>
      <Where />
    </InShell>,
    at,
  );
  return requests;
}

function Where() {
  const { pathname, search } = useLocation();
  return <p>at {pathname + search}</p>;
}

/** Answer with the lines of each folder by address. */
export function treeAnswer(lines: Record<string, unknown[]>): Answers[string] {
  return ({ url }) => json(page(lines[new URL(url).searchParams.get("uri") ?? ""] ?? []));
}

/** The last matching request. */
export async function lastRequest(requests: Request[], method: string, path: string) {
  const request = lastSent(requests, method, path);
  const text = await request.text();
  return { body: text === "" ? null : (JSON.parse(text) as unknown), match: request.headers.get("If-Match") };
}
