/** Follows a reply that somebody else began, or that this page lost sight of. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { isProblem } from "@/api/problems";
import { currentTurn } from "@/api/turns";
import { useConnection } from "@/events/live";
import type { View } from "@/events/reducer";
import { waitingIn } from "@/lib/outbox";
import { type Errand, refreshed } from "./send-message";
import { countFetched, tellTally } from "./reconnect-summary";
import {
  followTurn,
  isReplying,
  isUnderWay,
  leaveTurn,
  type RunningTurn,
  turnIn,
  useTurn,
} from "./reply-streams";

const LOOK_EVERY_MS = 2000;
const LATE_MS = 3000;
/** A short reply has ended by then, and need not be followed. */
const PATIENCE_MS = 300;

export function useFollower(id: string, box: string, view: View | null): void {
  const client = useQueryClient();
  const connection = useConnection();
  const turn = useTurn(id);
  const replyId = view?.state.turn?.reply_id ?? null;
  const isFollowed = isUnderWay(turn) || !isReplying(turn, view?.state.turn);
  const [elsewhere, setElsewhere] = useState<string | null>(null);
  const wanted = connection === "open" && !isFollowed && replyId !== elsewhere ? replyId : null;

  useEffect(() => {
    if (wanted === null) return;
    const notHere = () => setElsewhere(wanted);
    const timer = setTimeout(() => void follow({ client, id, box }, notHere), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [client, id, box, wanted]);

  useLeaving(id, view, turn);
  useEffect(() => {
    if (replyId === null || replyId !== elsewhere) return;
    const timer = setInterval(() => void refreshed(client, id), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [client, id, replyId, elsewhere]);
}

async function follow({ client, id, box }: Errand, notHere: () => void): Promise<void> {
  const before = turnIn(id);
  if (isUnderWay(before)) return;
  const wasBroken = before?.state === "broken";
  try {
    const { state } = await followTurn(id, (signal) => currentTurn(id, signal));
    if (wasBroken && state === "ended") countFetched();
    if (wasBroken && waitingIn(box).length === 0) tellTally();
    await refreshed(client, id);
  } catch (error) {
    if (isProblem(error, "not_found")) notHere();
  }
}

/** A stream may hang, as behind a proxy, while the reply it tells of has long ended. */
function useLeaving(id: string, view: View | null, turn: RunningTurn | null): void {
  const reply = turn?.state === "writing" ? turn.reply?.id : undefined;
  const mark = view?.state.messages.find((message) => message.id === reply);
  const hasEnded = mark !== undefined && mark.status !== "streaming";
  useEffect(() => {
    if (!hasEnded) return;
    const timer = setTimeout(() => leaveTurn(id), LATE_MS);
    return () => clearTimeout(timer);
  }, [id, hasEnded]);
}
