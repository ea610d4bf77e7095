/** The memory page, or what stands beside its tree, with a server that knows the samples. */

import type { ReactNode } from "react";
import { Outlet, Route, Routes, useLocation } from "react-router";
import type { Me } from "@/api/session";
import { json, lastSent, serve, show } from "@/testing/render";
import { AS_MEMBER, AS_VIEWER, me, page } from "@/testing/samples";
import { InShell } from "@/testing/shell";
import { FindPage } from "../find/find-page";
import { ImportPage } from "../import/import-page";
import MemoryPage from "../memory-page";
import { NewPage } from "../new/new-page";
import { FolderPage, NodePage } from "../node/node-page";
import { WithCategories } from "../with-categories";
import { CATEGORIES, node, revision } from "./samples";

type Answers = Parameters<typeof serve>[0];

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
export function inMemory(at: string, answers: Answers = {}, who: Me = me()): Request[] {
  return opened(<Route path="/memory/*" element={<MemoryPage />} />, at, answers, who);
}

/** Without header and tree. */
export function besideTree(at: string, answers: Answers = {}, who: Me = me()): Request[] {
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
  return opened(pane, at, answers, who);
}

function opened(routes: ReactNode, at: string, answers: Answers, who: Me): Request[] {
  const asked = serve({ ...ANSWERS, ...answers });
  show(
    <InShell me={who}>
      <Routes>
        {routes}
        <Route path="*" element={null} />
      </Routes>
      <Where />
    </InShell>,
    at,
  );
  return asked;
}

function Where() {
  const { pathname, search } = useLocation();
  return <p>at {pathname + search}</p>;
}

/** Lines of each directory, by its address. */
export function treeOf(lines: Record<string, unknown[]>): Answers[string] {
  return ({ url }) => json(page(lines[new URL(url).searchParams.get("uri") ?? ""] ?? []));
}

/** The last request of this kind. */
export async function sent(asked: Request[], method: string, path: string) {
  const request = lastSent(asked, method, path);
  const text = await request.text();
  return { body: text === "" ? null : (JSON.parse(text) as unknown), match: request.headers.get("If-Match") };
}
