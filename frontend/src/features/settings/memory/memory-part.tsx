/** The memory tab: whether chats are learned from, and which new memories wait for a person. */

import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "@/api/client";
import { effective, type Policy, policyQuery, useChangePolicy } from "@/api/policy";
import { isAllowed } from "@/api/session";
import { useShell } from "@/components/hooks/shell-context";
import { toast, toastProblem } from "@/components/feedback/toast";
import { Choices } from "@/components/ui/choices";
import { settings } from "@/texts/settings";
import { QueryBoundary } from "../query-boundary";
import shared from "../shared.module.css";
import { Learning } from "./learning";

const words = settings.memory;
const MODES = ["trusted", "confident", "nothing"] as const;

export function MemoryPart() {
  const { me } = useShell();
  const policy = useQuery({ ...policyQuery, staleTime: 0 });
  return (
    <>
      <Learning />
      <section className={shared.block}>
        <h2>{words.title}</h2>
        {!isAllowed(me, "manage_workspace") && <p className={shared.told}>{words.mayNotChange}</p>}
        <QueryBoundary query={policy}>{(data) => <Mode policy={data} />}</QueryBoundary>
        <p className={shared.told}>{words.always}</p>
      </section>
    </>
  );
}

function Mode({ policy }: { policy: Schemas["Policy"] }) {
  const { me } = useShell();
  const { mutateAsync, isPending } = useChangePolicy();
  const save = (mode: Policy["memory_mode"]) => {
    const overrides = { memory_mode: mode };
    void mutateAsync({ version: policy.version, overrides }).then(
      () => toast(words.saved, { tone: "ok" }),
      toastProblem,
    );
  };
  return (
    <Choices
      label={words.mode}
      value={effective(policy).memory_mode}
      options={MODES.map((mode) => ({ value: mode, label: words.modes[mode], hint: words.means[mode] }))}
      disabled={isPending || !isAllowed(me, "manage_workspace")}
      onChange={save}
    />
  );
}
