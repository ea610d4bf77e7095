/**
 * One line that says what was done or why not, with at most one action. It goes by itself after ten seconds, but never
 * under somebody's pointer or focus.
 */

import { useFocusWithin, useHover, useMergedRef } from "@mantine/hooks";
import { Check, CircleX, Info } from "lucide-react";
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Problem, Unreachable } from "@/api/problems";
import { createNotifier } from "@/lib/notifier";
import { texts } from "@/texts";
import classes from "./toast.module.css";

export interface ToastOptions {
  action?: { label: string; run: () => void };
  tone?: Tone;
}

type Tone = "plain" | "ok" | "bad";

interface Toast extends ToastOptions {
  id: number;
  message: string;
}

const SHOWN_MS = 10_000;
const MOST_SHOWN = 3;
const GAP = 12;
const ICONS = { plain: Info, ok: Check, bad: CircleX };

let toasts: readonly Toast[] = [];
let made = 0;
const { watch, notify } = createNotifier();

export function toast(message: string, options: ToastOptions = {}): void {
  made += 1;
  become([...toasts, { id: made, message, ...options }].slice(-MOST_SHOWN));
}

/** What the server refused, or that it does not answer, in words for people. */
export function toastProblem(error: unknown): void {
  toast(problemWords(error), { tone: "bad" });
}

export function problemWords(error: unknown): string {
  if (error instanceof Unreachable) return texts.common.notReached;
  if (!(error instanceof Problem)) return texts.common.notDone;
  if (error.status === 401) return texts.common.sessionEnded;
  if (error.status === 412) return texts.common.changedMeanwhile;
  if (error.status === 429) return texts.common.tooMany(error.retryAfter);
  if (error.status >= 500) return texts.common.failedHere(error.code);
  return error.message;
}

/** Takes away all that are shown. */
export function clearToasts(): void {
  become([]);
}

/** Where they appear: once in the page, after everything else. */
export function Toasts() {
  const shown = useSyncExternalStore(watch, () => toasts);
  const bottom = useBottom(shown.length);
  return (
    <div
      className={classes.toasts}
      style={{ bottom }}
      role="region"
      aria-label={texts.common.toasts}
      aria-live="polite"
    >
      {shown.map((one) => (
        <Line key={one.id} toast={one} />
      ))}
    </div>
  );
}

function Line({ toast: { id, message, action, tone = "plain" } }: { toast: Toast }) {
  const leave = useCallback(() => dismiss(id), [id]);
  const { hovered, ref: pointed } = useHover();
  const { focused, ref: focusable } = useFocusWithin();
  const held = hovered || focused;
  const Icon = ICONS[tone];
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(leave, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [held, leave]);
  const act = () => {
    leave();
    action?.run();
  };
  return (
    <div className={classes.toast} ref={useMergedRef(pointed, focusable)}>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className={classes.message}>{message}</span>
      <button type="button" onClick={action ? act : leave}>
        {action ? action.label : texts.common.close}
      </button>
    </div>
  );
}

/** Above the composer where there is one. */
function useBottom(shown: number): number {
  const [bottom, setBottom] = useState(GAP);
  const before = useRef(0);
  useEffect(() => {
    if (shown > before.current) {
      const composer = document.querySelector("[data-composer]")?.getBoundingClientRect();
      setBottom(composer === undefined ? GAP : Math.max(GAP, window.innerHeight - composer.top + GAP));
    }
    before.current = shown;
  }, [shown]);
  return bottom;
}

function dismiss(id: number): void {
  become(toasts.filter((one) => one.id !== id));
}

function become(next: readonly Toast[]): void {
  toasts = next;
  notify();
}
