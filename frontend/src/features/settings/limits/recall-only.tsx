/** The switch by which nothing is sent to a model any more; it says what that means before it is turned. */

import { Switch } from "@mantine/core";
import { useId, useState } from "react";
import type { Schemas } from "@/api/client";
import { effective, installed, useChangePolicy } from "@/api/policy";
import { isAllowed } from "@/api/session";
import { Confirm } from "@/components/feedback/confirm";
import { useShell } from "@/components/hooks/shell-context";
import { toast, toastProblem } from "@/components/feedback/toast";
import { settings } from "@/texts/settings";
import shared from "../shared.module.css";
import classes from "./limits.module.css";

const words = settings.limits;

export function RecallOnly({ policy }: { policy: Schemas["Policy"] }) {
  const { me } = useShell();
  const { mutateAsync, isPending } = useChangePolicy();
  const [isAsked, setAsked] = useState(false);
  const hint = useId();
  const isOn = !effective(policy).model_calls_enabled;
  const isFixed = !installed(policy).model_calls_enabled;
  const turn = (enabled: null | false) => {
    const turned = () => {
      setAsked(false);
      toast(enabled === null ? words.recallEnded : words.recallOn, { tone: "ok" });
    };
    const overrides = { model_calls_enabled: enabled };
    void mutateAsync({ version: policy.version, overrides }).then(turned, toastProblem);
  };
  return (
    <>
      <div>
        <Switch
          classNames={{ body: classes.switch ?? "" }}
          label={words.recallSwitch}
          aria-describedby={hint}
          checked={isOn}
          disabled={isFixed || isPending || !isAllowed(me, "manage_workspace")}
          onChange={() => (isOn ? turn(null) : setAsked(true))}
        />
        <p id={hint} className={shared.told}>
          {isFixed ? words.recallOff : words.recallIs}
        </p>
      </div>
      {isAsked && !isOn && (
        <Confirm
          title={words.recallTitle}
          detail={words.recallIs}
          deed={words.recallConfirm}
          isPending={isPending}
          onDo={() => turn(false)}
          onLeave={() => setAsked(false)}
        />
      )}
    </>
  );
}
