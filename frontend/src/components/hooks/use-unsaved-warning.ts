import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { meQuery, useSignOut } from "@/api/session";
import { countUnsent } from "@/lib/outbox";
import { texts } from "@/texts";
import { toast, toastProblem } from "../feedback/toast";

/**
 * Sign out and show the sign-in page without a return address. Unsent messages would wait for their author, so ask
 * first.
 */
export function useSignOutWithWarning(): () => void {
  const client = useQueryClient();
  const signOut = useSignOut();
  const navigate = useNavigate();
  const signOutNow = () => void signOut.mutateAsync().then(() => navigate("/sign-in"), toastProblem);
  return () => {
    const me = client.getQueryData(meQuery.queryKey);
    const unsent = me ? countUnsent(me.user.id) : 0;
    if (unsent === 0) signOutNow();
    else
      toast(texts.common.notSentYet(unsent), {
        action: { label: texts.common.leaveAnyway, run: signOutNow },
      });
  };
}
