/** The limits of a day in tokens and dollars, for who may set them. */

import { Button, TextInput } from "@mantine/core";
import { type SyntheticEvent, useState } from "react";
import type { Schemas } from "@/api/client";
import { effective, installed, type PolicyChanges, useChangePolicy } from "@/api/policy";
import { Problem } from "@/api/problems";
import { Note } from "@/components/feedback/inline-alert";
import { toast, toastProblem } from "@/components/feedback/toast";
import { count, money } from "@/lib/format";
import { settings } from "@/texts/settings";
import shared from "../shared.module.css";
import { centsTyped, tokensTyped, writtenDollars, writtenTokens } from "./amounts";

const words = settings.limits;
const MICROS_PER_CENT = 10_000;

type Typed = Partial<Record<"tokens" | "dollars", string>>;

export function Ceilings({ policy }: { policy: Schemas["Policy"] }) {
  const { mutateAsync, isPending, error } = useChangePolicy();
  const [typed, setTyped] = useState<Typed>({});
  const { daily_token_ceiling: tokens, daily_cost_ceiling_cents: cents } = installed(policy);
  const wish = wishOf(policy, typed);
  const isStale = error instanceof Problem && error.status === 412;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (wish.overrides === null || isPending) return;
    const saved = () => {
      setTyped({});
      toast(words.saved, { tone: "ok" });
    };
    void mutateAsync({ version: policy.version, overrides: wish.overrides }).then(
      saved,
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
          value={wish.tokensText}
          error={wish.tokens === null && words.notWhole}
          onChange={({ currentTarget }) => setTyped({ ...typed, tokens: currentTarget.value })}
        />
        <TextInput
          label={words.costCeiling}
          description={cents > 0 ? words.emptyOf(money(cents * MICROS_PER_CENT)) : words.empty}
          inputMode="decimal"
          autoComplete="off"
          leftSection="$"
          value={wish.dollarsText}
          error={wish.cents === null && words.notMoney}
          onChange={({ currentTarget }) => setTyped({ ...typed, dollars: currentTarget.value })}
        />
      </div>
      <p className={shared.hint}>{words.costNeedsPrices}</p>
      {isStale && (
        <Note tone="warn" role="alert">
          {words.meanwhile}
        </Note>
      )}
      <Button type="submit" variant="filled" loading={isPending} disabled={wish.overrides === null}>
        {words.save}
      </Button>
    </form>
  );
}

function wishOf(policy: Schemas["Policy"], typed: Typed) {
  const holds = effective(policy);
  const tokensText = typed.tokens ?? writtenTokens(holds.daily_token_ceiling);
  const dollarsText = typed.dollars ?? writtenDollars(holds.daily_cost_ceiling_cents);
  const tokens = tokensTyped(tokensText);
  const cents = centsTyped(dollarsText);
  const overrides =
    tokens === null || cents === null
      ? null
      : changesTo(policy, { daily_token_ceiling: tokens, daily_cost_ceiling_cents: cents });
  return { tokensText, dollarsText, tokens, cents, overrides };
}

/** What is as the installation has it is taken back rather than said again; null where nothing is different. */
function changesTo(
  policy: Schemas["Policy"],
  wanted: { daily_token_ceiling: number; daily_cost_ceiling_cents: number },
): PolicyChanges | null {
  const [holds, otherwise] = [effective(policy), installed(policy)];
  const names = Object.keys(wanted) as (keyof typeof wanted)[];
  const changed = names.filter((name) => wanted[name] !== holds[name]);
  const overrides = changed.map((name) => [name, wanted[name] === otherwise[name] ? null : wanted[name]]);
  return changed.length === 0 ? null : (Object.fromEntries(overrides) as PolicyChanges);
}
