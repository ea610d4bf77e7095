/** The workspace settings: models, memory, limits, usage, members and agents. */

import type { ComponentType } from "react";
import { Navigate, NavLink, useParams } from "react-router";
import { PageHeader } from "@/components/ui/page-header";
import { useTitle } from "@/components/hooks/use-title";
import { settings } from "@/texts/settings";
import { AgentsPart } from "./agents/agents-part";
import { LimitsPart } from "./limits/limits-part";
import { MembersPart } from "./members/members-part";
import { MemoryPart } from "./memory/memory-part";
import { ModelsPart } from "./models/models-part";
import classes from "./settings-page.module.css";
import { UsagePart } from "./usage/usage-part";

const PARTS = {
  models: ModelsPart,
  memory: MemoryPart,
  limits: LimitsPart,
  usage: UsagePart,
  members: MembersPart,
  agents: AgentsPart,
} satisfies Record<string, ComponentType>;

type PartName = keyof typeof PARTS;

const NAMES = Object.keys(PARTS) as PartName[];

export default function SettingsPage() {
  const { part } = useParams();
  const name = NAMES.find((one) => one === part);
  useTitle(settings.title);
  if (name === undefined) return <Navigate to="/settings/models" replace />;
  const Part = PARTS[name];
  return (
    <div className={classes.column}>
      <PageHeader
        title={settings.title}
        parts={settings.parts}
        tabs={NAMES.map((one) => (
          <NavLink key={one} to={`/settings/${one}`}>
            {settings.tabs[one]}
          </NavLink>
        ))}
      />
      <div className={classes.body}>
        <div className={classes.inner}>
          <Part />
        </div>
      </div>
    </div>
  );
}
