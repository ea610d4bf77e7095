import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { meQuery, useSignOut } from "@/api/session";
import { countWaiting } from "@/lib/outbox";
import { texts } from "@/texts";
import { toast, toastProblem } from "../feedback/toast";

/**
 * Sign out, and show the door; where one was is not remembered for the next person. What is not sent yet would wait
 * for who wrote it, so that is asked about first.
 */
export function useLeave(): () => void {
  const client = useQueryClient();
  const signOut = useSignOut();
  const navigate = useNavigate();
  const leave = () => void signOut.mutateAsync().then(() => navigate("/sign-in"), toastProblem);
  return () => {
    const me = client.getQueryData(meQuery.queryKey);
    const waiting = me ? countWaiting(me.user.id) : 0;
    if (waiting === 0) leave();
    else toast(texts.common.notSentYet(waiting), { action: { label: texts.common.leaveAnyway, run: leave } });
  };
}
