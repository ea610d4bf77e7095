/** The switch for no-model mode, with a confirmation. */

import { Switch } from "@mantine/core";
import { useId, useState } from "react";
import type { Schemas } from "@/api/client";
import { effective, installationDefaults, useChangePolicy } from "@/api/policy";
import { isAllowed } from "@/api/session";
import { Confirm } from "@/components/feedback/confirm";
import { useShell } from "@/components/hooks/shell-context";
import { toast, toastProblem } from "@/components/feedback/toast";
import { settings } from "@/texts/settings";
import row from "@/components/ui/switch.module.css";
import shared from "../shared.module.css";

const words = settings.limits;

export function NoModelMode({ policy }: { policy: Schemas["Policy"] }) {
  const { me } = useShell();
  const { mutateAsync, isPending } = useChangePolicy();
  const [isConfirming, setConfirming] = useState(false);
  const hint = useId();
  const isOn = !effective(policy).model_calls_enabled;
  const isFixed = !installationDefaults(policy).model_calls_enabled;
  const setNoModelMode = (enabled: null | false) => {
    const onSaved = () => {
      setConfirming(false);
      toast(enabled === null ? words.recallEnded : words.recallOn, { tone: "ok" });
    };
    const overrides = { model_calls_enabled: enabled };
    void mutateAsync({ version: policy.version, overrides }).then(onSaved, toastProblem);
  };
  return (
    <>
      <div>
        <Switch
          classNames={{ body: row.switch ?? "" }}
          label={words.recallSwitch}
          aria-describedby={hint}
          checked={isOn}
          disabled={isFixed || isPending || !isAllowed(me, "manage_workspace")}
          onChange={() => (isOn ? setNoModelMode(null) : setConfirming(true))}
        />
        <p id={hint} className={shared.told}>
          {isFixed ? words.recallOff : words.recallIs}
        </p>
      </div>
      {isConfirming && !isOn && (
        <Confirm
          title={words.recallTitle}
          detail={words.recallIs}
          actionLabel={words.recallConfirm}
          isPending={isPending}
          onConfirm={() => setNoModelMode(false)}
          onCancel={() => setConfirming(false)}
        />
      )}
    </>
  );
}
