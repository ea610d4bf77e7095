/** The user's preferences for packs: depth, priority and budget. */

import { Button, Switch, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { SlidersHorizontal } from "lucide-react";
import { type SyntheticEvent, useId, useState } from "react";
import {
  type ContextSettings,
  contextSettingsQuery,
  type KnowledgeDepth,
  MAX_BUDGET,
  useChangeContextSettings,
} from "@/api/context-settings";
import { Section } from "@/components/ui/section";
import { Segmented } from "@/components/ui/segmented";
import { toast, toastProblem } from "@/components/feedback/toast";
import { packing } from "@/texts/drawer-pack";
import { LoadError, Skeletons } from "../loading-states";
import classes from "./pack-preferences.module.css";

type Change = (body: Partial<Omit<ContextSettings, "version">>) => void;

export function PackPreferences() {
  const { data: settings, error, refetch } = useQuery(contextSettingsQuery);
  const words = packing.own;
  return (
    <Section
      name="own-settings"
      title={words.title}
      icon={SlidersHorizontal}
      count={words.where}
      openAtFirst={false}
    >
      {error && <LoadError onRetry={() => void refetch()} />}
      {!error && !settings && <Skeletons lines={3} />}
      {settings && <PreferenceFields settings={settings} />}
    </Section>
  );
}

function PreferenceFields({ settings }: { settings: ContextSettings }) {
  const { mutateAsync, isPending } = useChangeContextSettings();
  const hint = useId();
  const words = packing.own;
  const change: Change = (body) => {
    if (isPending) return;
    const onSaved = () => toast(words.saved, { tone: "ok" });
    void mutateAsync({ version: settings.version, body }).then(onSaved, toastProblem);
  };
  return (
    <div className={classes.settings}>
      <div>
        <p className={classes.label} aria-hidden="true">
          {words.depth}
        </p>
        <p className={classes.hint}>{words.depthIs}</p>
        <Segmented
          label={words.depth}
          value={settings.knowledge_depth}
          options={Object.entries(words.depths).map(([value, label]) => ({
            value: value as KnowledgeDepth,
            label,
          }))}
          onChange={(depth) => change({ knowledge_depth: depth })}
        />
      </div>
      <div>
        <Switch
          size="xs"
          classNames={{ body: classes.switch ?? "" }}
          label={words.history}
          aria-describedby={hint}
          checked={settings.history_first}
          onChange={() => change({ history_first: !settings.history_first })}
        />
        <p id={hint} className={classes.hint}>
          {words.historyIs}
        </p>
      </div>
      <Budget
        key={settings.token_budget}
        budget={settings.token_budget}
        isPending={isPending}
        onSave={change}
      />
    </div>
  );
}

interface BudgetProps {
  budget: number | null;
  isPending: boolean;
  onSave: Change;
}

function Budget({ budget, isPending, onSave }: BudgetProps) {
  const first = budget === null ? "" : String(budget);
  const [typed, setTyped] = useState(first);
  const words = packing.own;
  const budgetOf = typed.trim() === "" ? null : Number(typed);
  const isBudget =
    budgetOf === null || (Number.isInteger(budgetOf) && budgetOf >= 1 && budgetOf <= MAX_BUDGET);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isBudget) onSave({ token_budget: budgetOf });
  };
  return (
    <form className={classes.budget} onSubmit={submit}>
      <TextInput
        label={words.budget}
        description={words.budgetIs}
        inputMode="numeric"
        value={typed}
        error={!isBudget && words.notWhole(MAX_BUDGET)}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" size="xs" loading={isPending} disabled={!isBudget || typed.trim() === first}>
        {words.save}
      </Button>
    </form>
  );
}
