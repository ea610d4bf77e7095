/** The fallback for a page that throws; it resets on navigation. */

import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { ErrorBoundary } from "@/components/feedback/error-boundary";
import { ErrorState } from "@/components/feedback/error-state";
import { texts } from "@/texts";

export function RouteErrorBoundary({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <ErrorBoundary resetKey={pathname} fallback={() => <BrokenPage />}>
      {children}
    </ErrorBoundary>
  );
}

function BrokenPage() {
  return (
    <ErrorState
      title={texts.common.brokenTitle}
      detail={texts.common.brokenDetail}
      action={{ label: texts.common.reload, run: () => location.reload() }}
    />
  );
}
