/** What remains of a page that breaks: a sentence and a way on. Another address is another page. */

import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { Boundary } from "@/components/feedback/error-boundary";
import { Trouble } from "@/components/feedback/error-state";
import { texts } from "@/texts";

export function PageBoundary({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <Boundary at={pathname} fallback={() => <Broken />}>
      {children}
    </Boundary>
  );
}

function Broken() {
  return (
    <Trouble
      title={texts.common.brokenTitle}
      detail={texts.common.brokenDetail}
      action={{ label: texts.common.reload, run: () => location.reload() }}
    />
  );
}
