/** Leave the workspace, after a confirmation. The last owner is told what to do first. */

import { Button } from "@mantine/core";
import { useState } from "react";
import { useNavigate } from "react-router";
import { useLeaveWorkspace } from "@/api/members";
import { isProblem } from "@/api/problems";
import { Confirm } from "@/components/feedback/confirm";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { problemMessage, toast } from "@/components/feedback/toast";
import { useShell } from "@/components/hooks/shell-context";
import { members } from "@/texts/members";
import shared from "../shared.module.css";

const words = members.leave;

export function LeaveWorkspace() {
  const { me } = useShell();
  const [isConfirming, setConfirming] = useState(false);
  const { leave, isPending, error } = useLeaving(() => setConfirming(false));
  return (
    <section className={shared.block}>
      <h2>{words.title}</h2>
      <p className={shared.told}>{words.hint}</p>
      {error && (
        <InlineAlert tone="bad" role="alert">
          <p>{isProblem(error, "last_owner") ? words.lastOwner : problemMessage(error)}</p>
        </InlineAlert>
      )}
      {isConfirming ? (
        <Confirm
          title={words.confirmTitle(me.workspace?.name ?? "")}
          detail={words.confirmDetail}
          actionLabel={words.action}
          isPending={isPending}
          onConfirm={leave}
          onCancel={() => setConfirming(false)}
        />
      ) : (
        <div className={shared.actions}>
          <Button onClick={() => setConfirming(true)}>{words.action}</Button>
        </div>
      )}
    </section>
  );
}

function useLeaving(onRefused: () => void) {
  const { me } = useShell();
  const navigate = useNavigate();
  const { mutateAsync, isPending, error } = useLeaveWorkspace();
  const onLeft = () => {
    toast(words.left(me.workspace?.name ?? ""), { tone: "ok" });
    void navigate("/", { replace: true });
  };
  const leave = () => void mutateAsync(me.user.id).then(onLeft, onRefused);
  return { leave, isPending, error };
}
