/** The logo and the workspace, with a menu for users of several workspaces. */

import { Menu, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { ChevronsUpDown } from "lucide-react";
import { useNavigate } from "react-router";
import { useSwitchWorkspace } from "@/api/session";
import { Logo } from "@/components/ui/logo";
import { useShell } from "@/components/hooks/shell-context";
import { toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import classes from "./workspace-switch.module.css";

interface Props {
  rail: boolean;
  onChoose: () => void;
}

export function WorkspaceSwitch({ rail, onChoose }: Props) {
  const { me } = useShell();
  const navigate = useNavigate();
  const change = useSwitchWorkspace();
  if (me.memberships.length < 2) return <Name rail={rail} />;
  const choose = (id: string) => {
    change.mutate(id, { onError: toastProblem });
    onChoose();
    void navigate("/");
  };
  return (
    <Menu position="bottom-start" withinPortal={false} floatingStrategy="fixed" width={240}>
      <Menu.Target>
        <UnstyledButton className={classes.button}>
          <Name rail={rail} />
          {!rail && <ChevronsUpDown size={16} strokeWidth={1.75} aria-hidden="true" />}
          <VisuallyHidden>{texts.list.switchWorkspace}</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{texts.list.workspace}</Menu.Label>
        <Menu.RadioGroup value={me.workspace?.id ?? ""} onChange={choose}>
          {me.memberships.map(({ id, name }) => (
            <Menu.RadioItem key={id} value={id} closeMenuOnClick>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

function Name({ rail }: { rail: boolean }) {
  const { me } = useShell();
  return (
    <span className={classes.name} data-rail={rail}>
      <Logo />
      {!rail && (
        <span>
          <strong>{texts.common.product}</strong>
          <small>{me.workspace?.name}</small>
        </span>
      )}
    </span>
  );
}
