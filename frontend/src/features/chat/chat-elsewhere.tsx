/** A chat that is not in the current workspace: look for it in the user's other ones, and switch there. */

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { conversationElsewhereQuery } from "@/api/conversations";
import { useSwitchWorkspace } from "@/api/session";
import { Loading } from "@/components/feedback/loading";
import { toast, toastProblem } from "@/components/feedback/toast";
import { useShell } from "@/components/hooks/shell-context";
import { texts } from "@/texts";

interface Props {
  id: string;
  /** Shown if no workspace has it. */
  missing: ReactNode;
}

export function ChatElsewhere({ id, missing }: Props) {
  const { me } = useShell();
  const others = me.memberships.filter((membership) => membership.id !== me.workspace?.id);
  const { data: found, isPending } = useQuery(conversationElsewhereQuery(id, others));
  const { mutate, isError } = useSwitchWorkspace();
  useEffect(() => {
    if (!found) return;
    const onSuccess = () => toast(texts.chat.switchedWorkspace(found.name), { tone: "ok" });
    mutate(found.id, { onSuccess, onError: toastProblem });
  }, [found, mutate]);
  return isPending || (found && !isError) ? <Loading /> : missing;
}
