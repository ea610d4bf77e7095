/** Addresses and their pages. Without a session every address leads to the sign-in and back. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Navigate, Outlet, Route, Routes, useLocation } from "react-router";
import { hasEnded, meQuery, placeOf } from "@/api/session";
import { Loading } from "@/components/feedback/loading";
import { Trouble } from "@/components/feedback/error-state";
import { LiveProvider } from "@/events/live";
import { texts } from "@/texts";
import { ConversationPage } from "./conversation-page";
import { NoWorkspacePage } from "./no-workspace-page";
import { NotFoundPage } from "./not-found-page";
import { Shell } from "./shell";

const SignInPage = lazy(() => import("@/features/auth/sign-in-page"));
const MemoryPage = lazy(() => import("@/features/memory/memory-page"));
const SettingsPage = lazy(() => import("@/features/settings/settings-page"));
const SignUpPage = lazy(() => import("@/features/auth/sign-up-page"));

export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Waiting />}>
        <Route path="/sign-in" element={<SignInPage />} />
        <Route path="/sign-up" element={<SignUpPage />} />
      </Route>
      <Route element={<SignedIn />}>
        <Route index element={<ConversationPage />} />
        <Route path="/c/:conversationId" element={<ConversationPage />} />
        <Route element={<Waiting />}>
          <Route path="/memory/*" element={<MemoryPage />} />
          <Route path="/settings/:part?" element={<SettingsPage />} />
        </Route>
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  );
}

/** For a page whose code is fetched when it is opened. */
function Waiting() {
  return (
    <Suspense fallback={<Loading />}>
      <Outlet />
    </Suspense>
  );
}

function SignedIn() {
  const { data: me, error, isPending, refetch } = useQuery(meQuery);
  const { pathname, search } = useLocation();
  const client = useQueryClient();
  if (isPending) return <Loading />;
  if (error && me === undefined) {
    const action = { label: texts.common.retry, run: () => void refetch() };
    return (
      <Trouble title={texts.common.unreachable} detail={texts.common.unreachableDetail} action={action} />
    );
  }
  if (!me)
    return <Navigate to="/sign-in" replace state={{ from: pathname + search, ended: hasEnded(client) }} />;
  if (me.workspace === null) return <NoWorkspacePage me={me} />;
  return (
    <LiveProvider key={placeOf(me)}>
      <Shell me={me}>
        <Outlet />
      </Shell>
    </LiveProvider>
  );
}
