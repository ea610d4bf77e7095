/** Says that less is asked of models today than usual, or nothing; quietly, since everything else goes on. */

import { CircleDollarSign } from "lucide-react";
import { Link } from "react-router";
import { isAllowed } from "@/api/session";
import { useShell } from "@/components/hooks/shell-context";
import { texts } from "@/texts";
import classes from "./banner.module.css";

export function SpendingBanner() {
  const { me } = useShell();
  const { state, detail } = me.spending ?? {};
  const word = texts.chat.spending[state as keyof typeof texts.chat.spending] as string | undefined;
  return (
    <div role="status">
      {word !== undefined && (
        <div className={classes.banner} data-quiet="true">
          <CircleDollarSign size={16} strokeWidth={1.75} aria-hidden="true" />
          <p>
            <strong>{word}</strong> {detail}
          </p>
          {isAllowed(me, "manage_workspace") && <Link to="/settings/limits">{texts.chat.toLimits}</Link>}
        </div>
      )}
    </div>
  );
}
