/** Stream a reply that another page started, or whose stream was lost. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { isProblem } from "@/api/problems";
import { followCurrentTurn } from "@/api/turns";
import { useConnection } from "@/events/live";
import type { View } from "@/events/reducer";
import { unsentIn } from "@/lib/outbox";
import { type SendTarget, refetchAfterTurn } from "./send-message";
import { countFetched, toastReconnectSummary } from "./reconnect-summary";
import {
  followTurn,
  isReplying,
  isUnderWay,
  stopFollowing,
  type RunningTurn,
  turnIn,
  useTurn,
} from "./reply-streams";

const POLL_MS = 2000;
const STREAM_GRACE_MS = 3000;
/** A short reply has ended by then and need not be streamed. */
const FOLLOW_DELAY_MS = 300;

export function useFollowReply(id: string, box: string, view: View | null): void {
  const client = useQueryClient();
  const connection = useConnection();
  const turn = useTurn(id);
  const replyId = view?.state.turn?.reply_id ?? null;
  const isFollowed = isUnderWay(turn) || !isReplying(turn, view?.state.turn);
  const [unavailable, setUnavailable] = useState<string | null>(null);
  const toFollow = connection === "open" && !isFollowed && replyId !== unavailable ? replyId : null;

  useEffect(() => {
    if (toFollow === null) return;
    const onUnavailable = () => setUnavailable(toFollow);
    const timer = setTimeout(() => void follow({ client, id, box }, onUnavailable), FOLLOW_DELAY_MS);
    return () => clearTimeout(timer);
  }, [client, id, box, toFollow]);

  useStopHangingStream(id, view, turn);
  useEffect(() => {
    if (replyId === null || replyId !== unavailable) return;
    const timer = setInterval(() => refetchAfterTurn(client, id), POLL_MS);
    return () => clearInterval(timer);
  }, [client, id, replyId, unavailable]);
}

async function follow({ client, id, box }: SendTarget, onUnavailable: () => void): Promise<void> {
  const previous = turnIn(id);
  if (isUnderWay(previous)) return;
  const wasBroken = previous?.state === "broken";
  try {
    const { state } = await followTurn(id, (signal) => followCurrentTurn(id, signal));
    if (wasBroken && state === "ended") countFetched();
    if (wasBroken && unsentIn(box).length === 0) toastReconnectSummary();
    refetchAfterTurn(client, id);
  } catch (error) {
    if (isProblem(error, "not_found")) onUnavailable();
  }
}

/** A stream may hang, behind a proxy for example, although the reply has ended. */
function useStopHangingStream(id: string, view: View | null, turn: RunningTurn | null): void {
  const reply = turn?.state === "writing" ? turn.reply?.id : undefined;
  const state = view?.state.messages.find((message) => message.id === reply);
  const hasEnded = state !== undefined && state.status !== "streaming";
  useEffect(() => {
    if (!hasEnded) return;
    const timer = setTimeout(() => stopFollowing(id), STREAM_GRACE_MS);
    return () => clearTimeout(timer);
  }, [id, hasEnded]);
}
