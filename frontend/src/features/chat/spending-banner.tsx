/** A quiet banner when the budget restricts model calls today. */

import { CircleDollarSign } from "lucide-react";
import { Link } from "react-router";
import { isAllowed } from "@/api/session";
import { useShell } from "@/components/hooks/shell-context";
import { texts } from "@/texts";
import classes from "./banner.module.css";

export function SpendingBanner() {
  const { me } = useShell();
  const { state, detail } = me.spending ?? {};
  const label = texts.chat.spending[state as keyof typeof texts.chat.spending] as string | undefined;
  return (
    <div role="status">
      {label !== undefined && (
        <div className={classes.banner} data-quiet="true">
          <CircleDollarSign size={16} strokeWidth={1.75} aria-hidden="true" />
          <p>
            <strong>{label}</strong> {detail}
          </p>
          {isAllowed(me, "manage_workspace") && <Link to="/settings/limits">{texts.chat.toLimits}</Link>}
        </div>
      )}
    </div>
  );
}
