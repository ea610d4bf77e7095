/** Switches for learning from chats, of the workspace and of the person in it, and for quotes from other chats. */

import { Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import type { Schemas } from "@/api/client";
import { type ContextSettings, contextSettingsQuery, useChangeContextSettings } from "@/api/context-settings";
import { effective, installationDefaults, policyQuery, useChangePolicy } from "@/api/policy";
import { isAllowed } from "@/api/session";
import { toast, toastProblem } from "@/components/feedback/toast";
import { useShell } from "@/components/hooks/shell-context";
import { settings } from "@/texts/settings";
import row from "@/components/ui/switch.module.css";
import { QueryBoundary } from "../query-boundary";
import shared from "../shared.module.css";

const words = settings.learning;

export function Learning() {
  const policy = useQuery({ ...policyQuery, staleTime: 0 });
  const own = useQuery(contextSettingsQuery);
  return (
    <section className={shared.block}>
      <h2>{words.title}</h2>
      <QueryBoundary query={own}>{(data) => <OwnSwitch own={data} />}</QueryBoundary>
      <QueryBoundary query={policy}>
        {(data) => <PolicySwitch policy={data} flag="extraction_enabled" words={words} />}
      </QueryBoundary>
      <p className={shared.told}>{words.later}</p>
      <h2>{settings.pastChats.title}</h2>
      <QueryBoundary query={policy}>
        {(data) => <PolicySwitch policy={data} flag="past_chats_enabled" words={settings.pastChats} />}
      </QueryBoundary>
    </section>
  );
}

function OwnSwitch({ own }: { own: ContextSettings }) {
  const { mutateAsync, isPending } = useChangeContextSettings();
  const { remembers, version } = own;
  const change = () =>
    void mutateAsync({ version, body: { remembers: !remembers } }).then(onSaved, toastProblem);
  return (
    <LabeledSwitch
      label={words.own}
      hint={words.ownIs}
      isOn={remembers}
      isDisabled={isPending}
      onChange={change}
    />
  );
}

interface PolicySwitchProps {
  policy: Schemas["Policy"];
  flag: "extraction_enabled" | "past_chats_enabled";
  words: Pick<typeof settings.learning, "workspace" | "workspaceIs" | "fixed">;
}

/** A switch for the whole workspace, as far as the installation lets it be on. */
function PolicySwitch({ policy, flag, words }: PolicySwitchProps) {
  const { me } = useShell();
  const { mutateAsync, isPending } = useChangePolicy();
  const isOn = effective(policy)[flag];
  const isFixed = !installationDefaults(policy)[flag];
  const change = () => {
    const overrides = { [flag]: isOn ? false : null };
    void mutateAsync({ version: policy.version, overrides }).then(onSaved, toastProblem);
  };
  return (
    <LabeledSwitch
      label={words.workspace}
      hint={isFixed ? words.fixed : words.workspaceIs}
      isOn={isOn}
      isDisabled={isFixed || isPending || !isAllowed(me, "manage_workspace")}
      onChange={change}
    />
  );
}

interface SwitchProps {
  label: string;
  hint: string;
  isOn: boolean;
  isDisabled: boolean;
  onChange: () => void;
}

function LabeledSwitch({ label, hint, isOn, isDisabled, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div>
      <Switch
        classNames={{ body: row.switch ?? "" }}
        label={label}
        aria-describedby={id}
        checked={isOn}
        disabled={isDisabled}
        onChange={onChange}
      />
      <p id={id} className={shared.told}>
        {hint}
      </p>
    </div>
  );
}

function onSaved(): void {
  toast(words.saved, { tone: "ok" });
}
