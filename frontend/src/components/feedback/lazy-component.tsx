/**
 * A panel whose code is loaded on first use or prefetched. If it cannot be loaded, because the browser is offline or
 * the server has a newer build, a toast says so and the panel closes.
 */

import { type ComponentType, lazy, Suspense, useEffect, useState } from "react";
import { texts } from "@/texts";
import { ErrorBoundary } from "./error-boundary";
import { toast } from "./toast";

interface PanelProps {
  /** The panel cannot be shown: close it. */
  onMissing: () => void;
  /** Open the panel again. */
  onRetry: () => void;
}

type LazyPanel<Props> = ComponentType<Props & PanelProps> & {
  /** Load the code before it is needed. A failure is ignored; it is loaded again on first use. */
  prefetch: () => void;
};

/** After this many attempts the page itself is considered outdated. */
const MAX_ATTEMPTS = 2;

export function lazyPanel<Props extends object>(
  name: string,
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyPanel<Props> {
  let failures = 0;
  let part = lazy(attempt);

  /** React caches a rejected import, so each failure gets a new lazy component. */
  async function attempt() {
    try {
      await retryFailedStyles();
      return await load();
    } catch (error) {
      failures += 1;
      part = lazy(attempt);
      throw error;
    }
  }

  function Panel({ onMissing, onRetry, ...props }: Props & PanelProps) {
    const [Part] = useState(() => part as unknown as ComponentType<object>);
    const renderFailure = () => (
      <LoadFailure
        name={name}
        isOutdated={failures >= MAX_ATTEMPTS && navigator.onLine}
        {...{ onMissing, onRetry }}
      />
    );
    return (
      <ErrorBoundary fallback={renderFailure}>
        <Suspense>
          <Part {...props} />
        </Suspense>
      </ErrorBoundary>
    );
  }
  return Object.assign(Panel, { prefetch: () => void load().catch(() => undefined) });
}

/** Show a toast and close the panel; render nothing. */
function LoadFailure({
  name,
  isOutdated,
  onMissing,
  onRetry,
}: PanelProps & { name: string; isOutdated: boolean }) {
  useEffect(() => {
    const action = isOutdated
      ? { label: texts.common.reload, run: () => location.reload() }
      : { label: texts.common.retry, run: onRetry };
    toast(texts.common.partMissing(name), { tone: "bad", action });
    onMissing();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- it closes once, whatever is handed in meanwhile
  }, []);
  return null;
}

/** Vite requests each style sheet only once, so a failed link must be removed and loaded again. */
const failedStyles = new Set<string>();

document.addEventListener(
  "error",
  ({ target }) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== "stylesheet") return;
    failedStyles.add(target.href);
    target.remove();
  },
  true,
);

async function retryFailedStyles() {
  await Promise.all([...failedStyles].map(loadStyleSheet));
}

function loadStyleSheet(href: string): Promise<void> {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href, crossOrigin: "" });
  return new Promise((resolve, reject) => {
    link.addEventListener("load", () => {
      failedStyles.delete(href);
      resolve();
    });
    link.addEventListener("error", () => {
      reject(new Error(`no style sheet at ${href}`));
    });
    document.head.append(link);
  });
}
