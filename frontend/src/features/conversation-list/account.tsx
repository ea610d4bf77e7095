/** The account menu at the bottom of the list. */

import { Menu, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { BookOpen, Keyboard, LogOut, Settings, Settings2 } from "lucide-react";
import { Link } from "react-router";
import { COLOR_SCHEMES, useColorScheme } from "@/components/hooks/color-scheme";
import { useShell } from "@/components/hooks/shell-context";
import { useSignOutWithWarning } from "@/components/hooks/use-unsaved-warning";
import { texts } from "@/texts";
import classes from "./account.module.css";

const ICON = { size: 16, strokeWidth: 1.75 } as const;

interface Props {
  rail: boolean;
  onChoose: () => void;
}

export function Account({ rail, onChoose }: Props) {
  const { me } = useShell();
  const { name } = me.user;
  return (
    <div className={classes.foot}>
      <Menu position="top-start" withinPortal={false} floatingStrategy="fixed" width={240}>
        <Menu.Target>
          <UnstyledButton className={classes.person} data-rail={rail}>
            <span className={classes.initial} aria-hidden="true">
              {initial(name)}
            </span>
            <VisuallyHidden>{texts.list.accountOf} </VisuallyHidden>
            {rail ? <VisuallyHidden>{name}</VisuallyHidden> : <span className={classes.name}>{name}</span>}
            {!rail && me.role && <span className={classes.role}>{me.role_label}</span>}
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <AccountMenu onChoose={onChoose} />
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

function AccountMenu({ onChoose }: Pick<Props, "onChoose">) {
  const { me, openHelp } = useShell();
  const { scheme, setScheme } = useColorScheme();
  const signOut = useSignOutWithWarning();
  return (
    <>
      <Menu.Label>{me.user.email}</Menu.Label>
      <Menu.Label>{texts.common.look}</Menu.Label>
      <Menu.RadioGroup value={scheme} onChange={(value) => setScheme(value as typeof scheme)}>
        {COLOR_SCHEMES.map(({ value, label }) => (
          <Menu.RadioItem key={value} value={value}>
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Divider />
      <Menu.Item
        component={Link}
        to="/settings/models"
        leftSection={<Settings {...ICON} />}
        onClick={onChoose}
      >
        {texts.list.settings}
      </Menu.Item>
      <Menu.Item leftSection={<Keyboard {...ICON} />} onClick={openHelp}>
        {texts.list.keysHelp}
      </Menu.Item>
      <Menu.Item component="a" href="/api/docs" target="_blank" leftSection={<BookOpen {...ICON} />}>
        {texts.list.apiDocs}
      </Menu.Item>
      {me.user.is_operator && (
        <Menu.Item component="a" href="/admin/" target="_blank" leftSection={<Settings2 {...ICON} />}>
          {texts.list.console}
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item leftSection={<LogOut {...ICON} />} onClick={signOut}>
        {texts.list.signOut}
      </Menu.Item>
    </>
  );
}

function initial(name: string): string {
  return (Array.from(name.trim())[0] ?? "?").toUpperCase();
}
