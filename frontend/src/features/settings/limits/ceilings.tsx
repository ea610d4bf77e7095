/** The daily limits in tokens and dollars, for people who may change them. */

import { Button, TextInput } from "@mantine/core";
import { type SyntheticEvent, useState } from "react";
import type { Schemas } from "@/api/client";
import { effective, installationDefaults, type PolicyChanges, useChangePolicy } from "@/api/policy";
import { Problem } from "@/api/problems";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { toast, toastProblem } from "@/components/feedback/toast";
import { count, money } from "@/lib/format";
import { settings } from "@/texts/settings";
import shared from "../shared.module.css";
import { parseCents, parseTokens, formatDollars, formatTokens } from "./amounts";

const words = settings.limits;
const MICROS_PER_CENT = 10_000;

type TypedLimits = Partial<Record<"tokens" | "dollars", string>>;

export function Ceilings({ policy }: { policy: Schemas["Policy"] }) {
  const { mutateAsync, isPending, error } = useChangePolicy();
  const [typed, setTyped] = useState<TypedLimits>({});
  const { daily_token_ceiling: tokens, daily_cost_ceiling_cents: cents } = installationDefaults(policy);
  const changes = changesOf(policy, typed);
  const isStale = error instanceof Problem && error.status === 412;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (changes.overrides === null || isPending) return;
    const onSaved = () => {
      setTyped({});
      toast(words.saved, { tone: "ok" });
    };
    void mutateAsync({ version: policy.version, overrides: changes.overrides }).then(
      onSaved,
      (problem: unknown) => {
        if (!(problem instanceof Problem && problem.status === 412)) toastProblem(problem);
      },
    );
  };
  return (
    <form className={shared.form} onSubmit={submit} noValidate>
      <div className={shared.fields}>
        <TextInput
          label={words.tokenCeiling}
          description={tokens > 0 ? words.emptyOf(count(tokens)) : words.empty}
          inputMode="numeric"
          autoComplete="off"
          value={changes.tokensText}
          error={changes.tokens === null && words.notWhole}
          onChange={({ currentTarget }) => setTyped({ ...typed, tokens: currentTarget.value })}
        />
        <TextInput
          label={words.costCeiling}
          description={cents > 0 ? words.emptyOf(money(cents * MICROS_PER_CENT)) : words.empty}
          inputMode="decimal"
          autoComplete="off"
          leftSection="$"
          value={changes.dollarsText}
          error={changes.cents === null && words.notMoney}
          onChange={({ currentTarget }) => setTyped({ ...typed, dollars: currentTarget.value })}
        />
      </div>
      <p className={shared.hint}>{words.costNeedsPrices}</p>
      {isStale && (
        <InlineAlert tone="warn" role="alert">
          {words.conflict}
        </InlineAlert>
      )}
      <Button type="submit" variant="filled" loading={isPending} disabled={changes.overrides === null}>
        {words.save}
      </Button>
    </form>
  );
}

function changesOf(policy: Schemas["Policy"], typed: TypedLimits) {
  const effectiveLimits = effective(policy);
  const tokensText = typed.tokens ?? formatTokens(effectiveLimits.daily_token_ceiling);
  const dollarsText = typed.dollars ?? formatDollars(effectiveLimits.daily_cost_ceiling_cents);
  const tokens = parseTokens(tokensText);
  const cents = parseCents(dollarsText);
  const overrides =
    tokens === null || cents === null
      ? null
      : changesTo(policy, { daily_token_ceiling: tokens, daily_cost_ceiling_cents: cents });
  return { tokensText, dollarsText, tokens, cents, overrides };
}

/** A value equal to the installation's removes the override; null if nothing changes. */
function changesTo(
  policy: Schemas["Policy"],
  requested: { daily_token_ceiling: number; daily_cost_ceiling_cents: number },
): PolicyChanges | null {
  const [effectiveLimits, defaults] = [effective(policy), installationDefaults(policy)];
  const names = Object.keys(requested) as (keyof typeof requested)[];
  const changed = names.filter((name) => requested[name] !== effectiveLimits[name]);
  const overrides = changed.map((name) => [
    name,
    requested[name] === defaults[name] ? null : requested[name],
  ]);
  return changed.length === 0 ? null : (Object.fromEntries(overrides) as PolicyChanges);
}
