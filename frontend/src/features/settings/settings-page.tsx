/** What holds for the whole workspace: the models that answer, what they may cost, and what they took. */

import { ActionIcon } from "@mantine/core";
import { Menu as MenuIcon } from "lucide-react";
import type { ComponentType } from "react";
import { Navigate, NavLink, useParams } from "react-router";
import { useShell } from "@/components/shell-context";
import { useTitle } from "@/components/use-title";
import { texts } from "@/texts";
import { settings } from "@/texts/settings";
import { LimitsPart } from "./limits/limits-part";
import { ModelsPart } from "./models/models-part";
import classes from "./settings-page.module.css";
import { UsagePart } from "./usage/usage-part";

const PARTS = { models: ModelsPart, limits: LimitsPart, usage: UsagePart } satisfies Record<
  string,
  ComponentType
>;

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
      <Header />
      <div className={classes.body}>
        <div className={classes.inner}>
          <Part />
        </div>
      </div>
    </div>
  );
}

function Header() {
  const { openList } = useShell();
  const words = settings;
  return (
    <header className={classes.header}>
      <ActionIcon className={classes.list ?? ""} aria-label={texts.chat.header.openList} onClick={openList}>
        <MenuIcon size={20} strokeWidth={1.75} aria-hidden="true" />
      </ActionIcon>
      <h1>{words.title}</h1>
      <nav className={classes.tabs} aria-label={words.parts}>
        {NAMES.map((name) => (
          <NavLink key={name} to={`/settings/${name}`}>
            {words.tabs[name]}
          </NavLink>
        ))}
      </nav>
    </header>
  );
}
