/** A code block with its language and a copy button; highlighting is loaded on demand. */

import { Check, Copy } from "lucide-react";
import { memo, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { copyText } from "@/lib/clipboard";
import { texts } from "@/texts";
import classes from "./code-block.module.css";

const COPIED_MS = 2000;
const DEBOUNCE_MS = 150;
const MAX_CHARACTERS = 50_000;

export const CodeBlock = memo(function CodeBlock({ code, language }: { code: string; language: string }) {
  const highlighted = useHighlighting(code, language);
  return (
    <figure className={classes.block}>
      <figcaption>
        <span>{language === "" ? texts.chat.code.plain : language}</span>
        <CopyButton code={code} language={language} />
      </figcaption>
      <ScrollableCode name={texts.chat.code.name(language)} of={code}>
        <code>{highlighted ?? code}</code>
      </ScrollableCode>
    </figure>
  );
});

/** Make overflowing code focusable, so that it can be scrolled by keyboard. */
function ScrollableCode({ name, of, children }: { name: string; of: string; children: ReactNode }) {
  const element = useRef<HTMLPreElement>(null);
  const [isWide, setWide] = useState(false);
  useLayoutEffect(() => {
    const code = element.current;
    if (code === null) return;
    const measure = () => setWide(code.scrollWidth > code.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(code);
    return () => observer.disconnect();
  }, [of]);
  return (
    <pre ref={element} {...(isWide && { "tabIndex": 0, "role": "group", "aria-label": name })}>
      {children}
    </pre>
  );
}

function CopyButton({ code, language }: { code: string; language: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const Icon = isCopied ? Check : Copy;
  const { copy, copied: done, copyName } = texts.chat.code;
  return (
    <button
      type="button"
      className={classes.copy}
      aria-label={isCopied ? done : copyName(language)}
      onClick={() => void copyText(code).then(setCopied)}
    >
      <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
      {isCopied ? done : copy}
    </button>
  );
}

/** Null while offline: the code is then shown without colors. */
const loadHighlighter = () => import("./highlighter").catch(() => null);

/** Highlight streaming code when it pauses. */
function useHighlighting(code: string, language: string): ReactNode {
  const [done, setDone] = useState<{ of: string; highlighted: ReactNode } | null>(null);
  useEffect(() => {
    if (language === "" || code.length > MAX_CHARACTERS) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      void loadHighlighter().then((highlighter) => {
        if (isCurrent && highlighter) {
          setDone({ of: code, highlighted: highlighter.highlightCode(code, language) });
        }
      });
    }, DEBOUNCE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [code, language]);
  return done?.of === code ? done.highlighted : null;
}
