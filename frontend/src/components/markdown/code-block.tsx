/** Code with its language and a way to copy it; its colours come when the highlighter has been loaded. */

import { Check, Copy } from "lucide-react";
import { memo, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { copied } from "@/lib/clipboard";
import { texts } from "@/texts";
import classes from "./code-block.module.css";

const SAID_MS = 2000;
const SETTLED_MS = 150;
const MOST_CHARACTERS = 50_000;

export const CodeBlock = memo(function CodeBlock({ code, language }: { code: string; language: string }) {
  const coloured = useColours(code, language);
  return (
    <figure className={classes.block}>
      <figcaption>
        <span>{language === "" ? texts.chat.code.plain : language}</span>
        <CopyButton code={code} language={language} />
      </figcaption>
      <Scrolled name={texts.chat.code.name(language)} of={code}>
        <code>{coloured ?? code}</code>
      </Scrolled>
    </figure>
  );
});

/** What is wider than its place must be reached by keyboard to be scrolled. */
function Scrolled({ name, of, children }: { name: string; of: string; children: ReactNode }) {
  const element = useRef<HTMLPreElement>(null);
  const [isWide, setWide] = useState(false);
  useLayoutEffect(() => {
    const { scrollWidth = 0, clientWidth = 0 } = element.current ?? {};
    setWide(scrollWidth > clientWidth);
  }, [of]);
  return (
    <pre ref={element} {...(isWide && { "tabIndex": 0, "role": "group", "aria-label": name })}>
      {children}
    </pre>
  );
}

function CopyButton({ code, language }: { code: string; language: string }) {
  const [said, setSaid] = useState(false);
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const Icon = said ? Check : Copy;
  const { copy, copied: done, copyName } = texts.chat.code;
  return (
    <button
      type="button"
      className={classes.copy}
      aria-label={said ? done : copyName(language)}
      onClick={() => void copied(code).then(setSaid)}
    >
      <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
      {said ? done : copy}
    </button>
  );
}

/** Code that is being written gets its colours in its pauses. */
function useColours(code: string, language: string): ReactNode {
  const [done, setDone] = useState<{ of: string; coloured: ReactNode } | null>(null);
  useEffect(() => {
    if (language === "" || code.length > MOST_CHARACTERS) return;
    let wanted = true;
    const timer = setTimeout(() => {
      void import("./highlighter").then(({ highlighted }) => {
        if (wanted) setDone({ of: code, coloured: highlighted(code, language) });
      });
    }, SETTLED_MS);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [code, language]);
  return done?.of === code ? done.coloured : null;
}
