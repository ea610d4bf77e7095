/**
 * A panel whose code is fetched when it is wanted, or ahead. Without a connection, or when the server has another page
 * by now, it cannot be fetched: that is told, the panel closes, and everything around it stays.
 */

import { type ComponentType, lazy, Suspense, useEffect, useState } from "react";
import { texts } from "@/texts";
import { Boundary } from "./error-boundary";
import { toast } from "./toast";

interface Around {
  /** It cannot be shown: close it. */
  onMissing: () => void;
  /** Open it once more. */
  onAgain: () => void;
}

type Lazily<Props> = ComponentType<Props & Around> & {
  /** Fetch it before it is wanted; if that fails it is fetched when it is. */
  fetchAhead: () => void;
};

/** After so many attempts the page itself is taken for old. */
const ATTEMPTS = 2;

export function lazily<Props extends object>(
  name: string,
  fetched: () => Promise<{ default: ComponentType<Props> }>,
): Lazily<Props> {
  let failures = 0;
  let part = lazy(attempt);

  /** React keeps a failure; whoever asks next gets another attempt. */
  async function attempt() {
    try {
      await fetchMissingStyles();
      return await fetched();
    } catch (error) {
      failures += 1;
      part = lazy(attempt);
      throw error;
    }
  }

  function Panel({ onMissing, onAgain, ...props }: Props & Around) {
    const [Part] = useState(() => part as unknown as ComponentType<object>);
    const missing = () => (
      <Missing name={name} isOld={failures >= ATTEMPTS && navigator.onLine} {...{ onMissing, onAgain }} />
    );
    return (
      <Boundary fallback={missing}>
        <Suspense>
          <Part {...props} />
        </Suspense>
      </Boundary>
    );
  }
  return Object.assign(Panel, { fetchAhead: () => void fetched().catch(() => undefined) });
}

/** What to say is said when it comes up; nothing is drawn. */
function Missing({ name, isOld, onMissing, onAgain }: Around & { name: string; isOld: boolean }) {
  useEffect(() => {
    const action = isOld
      ? { label: texts.common.reload, run: () => location.reload() }
      : { label: texts.common.retry, run: onAgain };
    toast(texts.common.partMissing(name), { tone: "bad", action });
    onMissing();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- it closes once, whatever is handed in meanwhile
  }, []);
  return null;
}

/** A style sheet that failed must not be taken for one that is there: what asks for parts asks for each only once. */
const missingStyles = new Set<string>();

document.addEventListener(
  "error",
  ({ target }) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== "stylesheet") return;
    missingStyles.add(target.href);
    target.remove();
  },
  true,
);

async function fetchMissingStyles() {
  await Promise.all([...missingStyles].map(fetchStyles));
}

function fetchStyles(href: string): Promise<void> {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href, crossOrigin: "" });
  return new Promise((resolve, reject) => {
    link.addEventListener("load", () => {
      missingStyles.delete(href);
      resolve();
    });
    link.addEventListener("error", () => {
      reject(new Error(`no style sheet at ${href}`));
    });
    document.head.append(link);
  });
}
