/** Toasts: one line with at most one action. They close after ten seconds, but not while hovered or focused. */

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
const MAX_SHOWN = 3;
const GAP = 12;
const ICONS = { plain: Info, ok: Check, bad: CircleX };

let toasts: readonly Toast[] = [];
let lastId = 0;
const { subscribe, notify } = createNotifier();

export function toast(message: string, options: ToastOptions = {}): void {
  lastId += 1;
  setToasts([...toasts, { id: lastId, message, ...options }].slice(-MAX_SHOWN));
}

/** Show a readable message for a rejected request or an unreachable server. */
export function toastProblem(error: unknown): void {
  toast(problemMessage(error), { tone: "bad" });
}

export function problemMessage(error: unknown): string {
  if (error instanceof Unreachable) return texts.common.notReached;
  if (!(error instanceof Problem)) return texts.common.notDone;
  if (error.status === 401) return texts.common.sessionEnded;
  if (error.status === 412) return texts.common.changedMeanwhile;
  if (error.status === 429) return texts.common.tooMany(error.retryAfter);
  if (error.status >= 500) return texts.common.failedHere(error.code);
  return error.message;
}

/** Close all toasts. */
export function clearToasts(): void {
  setToasts([]);
}

/** The region for toasts: once in the page, after everything else. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
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
        <ToastLine key={one.id} toast={one} />
      ))}
    </div>
  );
}

function ToastLine({ toast: { id, message, action, tone = "plain" } }: { toast: Toast }) {
  const close = useCallback(() => dismiss(id), [id]);
  const { hovered, ref: hoverRef } = useHover();
  const { focused, ref: focusRef } = useFocusWithin();
  const isPaused = hovered || focused;
  const Icon = ICONS[tone];
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(close, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isPaused, close]);
  const runAction = () => {
    close();
    action?.run();
  };
  return (
    <div className={classes.toast} ref={useMergedRef(hoverRef, focusRef)}>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className={classes.message}>{message}</span>
      <button type="button" onClick={action ? runAction : close}>
        {action ? action.label : texts.common.close}
      </button>
    </div>
  );
}

/** Place the toasts above the composer if there is one. */
function useBottom(shown: number): number {
  const [bottom, setBottom] = useState(GAP);
  const previous = useRef(0);
  useEffect(() => {
    if (shown > previous.current) {
      const composer = document.querySelector("[data-composer]")?.getBoundingClientRect();
      setBottom(composer === undefined ? GAP : Math.max(GAP, window.innerHeight - composer.top + GAP));
    }
    previous.current = shown;
  }, [shown]);
  return bottom;
}

function dismiss(id: number): void {
  setToasts(toasts.filter((one) => one.id !== id));
}

function setToasts(next: readonly Toast[]): void {
  toasts = next;
  notify();
}
