/** Routes and their pages. Without a session every route leads to the sign-in page and back. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Navigate, Outlet, Route, Routes, useLocation } from "react-router";
import { hasSessionEnded, meQuery, sessionScope } from "@/api/session";
import { Loading } from "@/components/feedback/loading";
import { ErrorState } from "@/components/feedback/error-state";
import { LiveProvider } from "@/events/live";
import { texts } from "@/texts";
import { ConversationPage } from "./conversation-page";
import { NoWorkspacePage } from "./no-workspace-page";
import { NotFoundPage } from "./not-found-page";
import { Shell } from "./shell";

const SignInPage = lazy(() => import("@/features/auth/sign-in-page"));
const JoinPage = lazy(() => import("@/features/auth/join-page"));
const PairPage = lazy(() => import("@/features/auth/pair-page"));
const MemoryPage = lazy(() => import("@/features/memory/memory-page"));
const SessionsPage = lazy(() => import("@/features/sessions/sessions-page"));
const SettingsPage = lazy(() => import("@/features/settings/settings-page"));
const SignUpPage = lazy(() => import("@/features/auth/sign-up-page"));

export function AppRoutes() {
  return (
    <Routes>
      <Route element={<LazyRoute />}>
        <Route path="/sign-in" element={<SignInPage />} />
        <Route path="/sign-up" element={<SignUpPage />} />
        <Route path="/join/:secret" element={<JoinPage />} />
        <Route path="/pair" element={<PairPage />} />
      </Route>
      <Route element={<SignedIn />}>
        <Route index element={<ConversationPage />} />
        <Route path="/c/:conversationId" element={<ConversationPage />} />
        <Route element={<LazyRoute />}>
          <Route path="/memory/*" element={<MemoryPage />} />
          <Route path="/sessions/*" element={<SessionsPage />} />
          <Route path="/settings/:part?" element={<SettingsPage />} />
        </Route>
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  );
}

/** Suspense for pages whose code is loaded on navigation. */
function LazyRoute() {
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
      <ErrorState title={texts.common.unreachable} detail={texts.common.unreachableDetail} action={action} />
    );
  }
  if (!me)
    return (
      <Navigate to="/sign-in" replace state={{ from: pathname + search, ended: hasSessionEnded(client) }} />
    );
  if (me.workspace === null) return <NoWorkspacePage me={me} />;
  return (
    <LiveProvider key={sessionScope(me)}>
      <Shell me={me}>
        <Outlet />
      </Shell>
    </LiveProvider>
  );
}
