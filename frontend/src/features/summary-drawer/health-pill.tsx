/** The health of the context in a word with its reason, by the server's codes; opens the drawer. */

import clsx from "clsx";
import { Check, CircleX, FoldVertical, type LucideIcon, Minus, TriangleAlert, WifiOff } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Ring } from "@/components/ui/progress-ring";
import { useShell } from "@/components/hooks/shell-context";
import { useConnection } from "@/events/live";
import type { View } from "@/events/reducer";
import { countWaiting, watchOutbox } from "@/lib/outbox";
import { texts } from "@/texts";
import classes from "./health-pill.module.css";
import { healthText } from "./reasons";
import { ringOf } from "./ring-segments";

interface Props {
  view: View | null;
  open: boolean;
  onToggle: () => void;
}

type Tone = View["state"]["health"]["tone"];

/** The drawer gives the focus back to it. */
export const PILL_ID = "health-pill";

const ICONS: Record<Tone, LucideIcon> = {
  plain: Minus,
  ok: Check,
  warn: TriangleAlert,
  live: FoldVertical,
  bad: CircleX,
};

export function HealthPill({ view, open, onToggle }: Props) {
  const away = useConnection() === "away";
  const { me } = useShell();
  const waiting = useSyncExternalStore(watchOutbox, () => countWaiting(me.user.id, me.workspace?.id));
  const { word, reason, tone } = shownHealth(view, away, waiting);
  const compactsItself = me.features?.engine === true && me.features.auto_compact;
  const Icon = away ? WifiOff : ICONS[tone];
  const drawn = ringOf(view, compactsItself);
  const amount = amountOf(view);
  return (
    <>
      <button
        type="button"
        id={PILL_ID}
        data-tour="pill"
        className={clsx(classes.pill, classes[tone])}
        aria-expanded={open}
        title={amount}
        onClick={onToggle}
      >
        <Ring {...drawn} />
        <Icon className={classes.icon} size={14} strokeWidth={1.75} aria-hidden="true" />
        <span className={classes.word}>{word}</span> <span className={classes.reason}>{reason}</span>{" "}
        <span className={classes.announced}>
          {[amount, open ? texts.drawer.close : texts.drawer.open].filter(Boolean).join(". ")}
        </span>
      </button>
      <span className={classes.announced} role="status">
        {view === null ? "" : word}
      </span>
    </>
  );
}

function shownHealth(
  view: View | null,
  away: boolean,
  waiting: number,
): { word: string; reason: string; tone: Tone } {
  const { pill } = texts.drawer;
  if (away)
    return {
      word: pill.offline,
      reason: waiting > 0 ? pill.waits(waiting) : pill.offlineReason,
      tone: "bad",
    };
  if (view === null) return { word: pill.connecting, reason: "", tone: "plain" };
  const { health } = view.state;
  return { word: texts.drawer.health.status[health.status], reason: healthText(health), tone: health.tone };
}

/** What a percentage is of. */
function amountOf(view: View | null): string | undefined {
  const { used_tokens: used, limit_tokens: limit } = view?.state.health.numbers ?? {};
  return used && limit && texts.drawer.pill.amount(used.value, limit.value);
}
