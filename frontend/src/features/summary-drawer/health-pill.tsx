/** The health of the context as a label with its reason; opens the drawer. */

import clsx from "clsx";
import {
  Check,
  CircleX,
  EyeOff,
  FoldVertical,
  type LucideIcon,
  Minus,
  TriangleAlert,
  WifiOff,
} from "lucide-react";
import { type ComponentProps, useSyncExternalStore } from "react";
import { Ring } from "@/components/ui/progress-ring";
import { useShell } from "@/components/hooks/shell-context";
import { useConnection } from "@/events/live";
import type { View } from "@/events/reducer";
import { countUnsent, subscribeToOutbox } from "@/lib/outbox";
import { texts } from "@/texts";
import classes from "./health-pill.module.css";
import { healthText } from "./reasons";
import { ringSegments } from "./ring-segments";
import { activeRun, progressOf } from "./run-progress";

interface Props {
  view: View | null;
  open: boolean;
  onToggle: () => void;
  isTemporary?: boolean;
}

type Tone = View["state"]["health"]["tone"];

interface Label {
  label: string;
  reason: string;
  tone: Tone;
  icon?: LucideIcon;
}

/** The drawer returns the focus to this element. */
export const PILL_ID = "health-pill";

const ICONS: Record<Tone, LucideIcon> = {
  plain: Minus,
  ok: Check,
  warn: TriangleAlert,
  live: FoldVertical,
  bad: CircleX,
};

export function HealthPill({ view, open, onToggle, isTemporary = false }: Props) {
  const isAway = useConnection() === "away";
  const { me } = useShell();
  const waiting = useSyncExternalStore(subscribeToOutbox, () => countUnsent(me.user.id, me.workspace?.id));
  const state = temporaryLabel(isTemporary, healthLabel(view, isAway, waiting));
  const isAutoCompacting = me.features?.engine === true && me.features.auto_compact;
  const amount = amountOf(view);
  return (
    <>
      <button
        type="button"
        id={PILL_ID}
        data-tour="pill"
        className={clsx(classes.pill, classes[state.tone])}
        aria-expanded={open}
        title={amount}
        onClick={onToggle}
      >
        <Face {...state} isAway={isAway} ring={ringSegments(view, isAutoCompacting)} />{" "}
        <span className={classes.announced}>
          {[amount, open ? texts.drawer.close : texts.drawer.open].filter(Boolean).join(". ")}
        </span>
      </button>
      <span className={classes.announced} role="status">
        {view === null ? "" : state.label}
      </span>
    </>
  );
}

/** The pill of a chat before its first message: it has no drawer yet. */
export function EmptyPill({ isTemporary = false }: { isTemporary?: boolean }) {
  const isAway = useConnection() === "away";
  const { pill } = texts.drawer;
  const empty: Label = { label: pill.empty, reason: pill.emptyReason, tone: "plain" };
  const state = isAway ? healthLabel(null, isAway, 0) : temporaryLabel(isTemporary, empty);
  return (
    <span className={clsx(classes.pill, classes[state.tone])}>
      <Face {...state} isAway={isAway} ring={ringSegments(null, false)} />
    </span>
  );
}

interface FaceProps extends Label {
  isAway: boolean;
  ring: ComponentProps<typeof Ring>;
}

function Face({ label, reason, tone, icon, isAway, ring }: FaceProps) {
  const Icon = isAway ? WifiOff : (icon ?? ICONS[tone]);
  return (
    <>
      <Ring {...ring} />
      <Icon className={classes.icon} size={14} strokeWidth={1.75} aria-hidden="true" />
      <span className={classes.word}>{label}</span> <span className={classes.reason}>{reason}</span>
    </>
  );
}

/** Of a temporary chat, where nothing else has to be said. */
function temporaryLabel(isTemporary: boolean, state: Label): Label {
  const { temporary: label, temporaryReason: reason } = texts.drawer.pill;
  const isQuiet = state.tone === "ok" || state.tone === "plain";
  return isTemporary && isQuiet ? { label, reason, tone: "plain", icon: EyeOff } : state;
}

function healthLabel(view: View | null, isAway: boolean, waiting: number): Label {
  const { pill } = texts.drawer;
  if (isAway)
    return {
      label: pill.offline,
      reason: waiting > 0 ? pill.waits(waiting) : pill.offlineReason,
      tone: "bad",
    };
  if (view === null) return { label: pill.connecting, reason: "", tone: "plain" };
  const run = activeRun(view);
  if (run !== null) return compactingLabel(run.state, progressOf(view));
  const { health } = view.state;
  return { label: texts.drawer.health.status[health.status], reason: healthText(health), tone: health.tone };
}

/** Health updates are coalesced and lag behind the run that the drawer shows. */
function compactingLabel(state: string, percent: number): Label {
  const { status, reasons } = texts.drawer.health;
  const reason = state === "queued" ? reasons.queued() : reasons.running({ percent });
  return { label: status.compacting, reason, tone: "live" };
}

/** The base of a percentage. */
function amountOf(view: View | null): string | undefined {
  if (view?.state.health.reason.code !== "used") return undefined;
  const { used_tokens: used, limit_tokens: limit } = view.state.health.numbers;
  return used && limit && texts.drawer.pill.amount(used.value, limit.value);
}
