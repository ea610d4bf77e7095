/** Toasts, one at a time: a line with at most one action. They close after ten seconds, but not while hovered or focused. */

import { useFocusWithin, useHover, useMergedRef } from "@mantine/hooks";
import { Check, CircleX, Info } from "lucide-react";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";
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
const GAP = 8;
/** The height that the thread leaves free above the composer. */
const ROOM = "--toast-room";
const ICONS = { plain: Info, ok: Check, bad: CircleX };

let shownToast: Toast | null = null;
let lastId = 0;
const { subscribe, notify } = createNotifier();

/** Show a toast instead of the one before it. */
export function toast(message: string, options: ToastOptions = {}): void {
  lastId += 1;
  show({ id: lastId, message, ...options });
}

/** Show a readable message for a rejected request or an unreachable server. */
export function toastProblem(error: unknown): void {
  toast(problemMessage(error), { tone: "bad" });
}

export function problemMessage(error: unknown): string {
  if (error instanceof Unreachable) return texts.common.notReached;
  if (!(error instanceof Problem)) return texts.common.notDone;
  if (error.status === 401) return texts.common.sessionEnded;
  if (error.status === 412) return texts.common.changedElsewhere;
  if (error.status === 429) return texts.common.tooMany(error.retryAfter);
  if (error.status >= 500) return texts.common.failedHere(error.code);
  return error.message;
}

export function clearToasts(): void {
  show(null);
}

/** The region for the toast: once in the page, after everything else. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => shownToast);
  const region = useRef<HTMLDivElement>(null);
  usePlace(region, shown !== null);
  return (
    <div
      ref={region}
      className={classes.toasts}
      role="region"
      aria-label={texts.common.toasts}
      aria-live="polite"
    >
      {shown !== null && <ToastLine key={shown.id} toast={shown} />}
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

/** Place the toast above the composer if there is one, where the thread leaves room for it. */
function usePlace(region: RefObject<HTMLElement | null>, isShown: boolean): void {
  useLayoutEffect(() => {
    const element = region.current;
    if (element === null || !isShown) return;
    const sizes = new ResizeObserver(() => placeAbove(composerIn(), element));
    const observeSizes = () => {
      sizes.disconnect();
      for (const one of [document.documentElement, composerIn(), element]) if (one) sizes.observe(one);
    };
    // Another page has another composer, or none.
    const pages = new MutationObserver(observeSizes);
    pages.observe(document.body, { childList: true, subtree: true });
    observeSizes();
    placeAbove(composerIn(), element);
    return () => {
      sizes.disconnect();
      pages.disconnect();
      document.documentElement.style.removeProperty(ROOM);
    };
  }, [region, isShown]);
}

function composerIn(): Element | null {
  return document.querySelector("[data-composer]");
}

function placeAbove(composer: Element | null, region: HTMLElement): void {
  const {
    left = 0,
    right = window.innerWidth,
    top = window.innerHeight,
  } = composer?.getBoundingClientRect() ?? {};
  region.style.left = `${left}px`;
  region.style.right = `${Math.max(0, window.innerWidth - right)}px`;
  region.style.bottom = `${Math.max(GAP, window.innerHeight - top + GAP)}px`;
  document.documentElement.style.setProperty(ROOM, `${region.offsetHeight + 2 * GAP}px`);
}

function dismiss(id: number): void {
  if (shownToast?.id === id) show(null);
}

function show(next: Toast | null): void {
  shownToast = next;
  notify();
}
