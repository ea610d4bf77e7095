import { Tooltip } from "@mantine/core";
import clsx from "clsx";
import { FolderTree, Inbox, type LucideIcon, Settings } from "lucide-react";
import { Link, useLocation } from "react-router";
import { InboxCount } from "@/components/ui/inbox-count";
import { texts } from "@/texts";
import classes from "./nav-links.module.css";

interface Props {
  rail: boolean;
  onChoose: () => void;
}

const { list } = texts;
const MEMORY = "/memory";
const INBOX = "/memory/inbox";
const PLACES: readonly { to: string; label: string; icon: LucideIcon }[] = [
  { to: MEMORY, label: list.memory, icon: FolderTree },
  { to: INBOX, label: list.inbox, icon: Inbox },
  { to: "/settings", label: list.settings, icon: Settings },
];

/** Links to the other pages. */
export function NavLinks({ rail, onChoose }: Props) {
  const { pathname } = useLocation();
  return (
    <div className={clsx(classes.places, rail && classes.rail)}>
      {PLACES.map(({ to, label, icon: Icon }) => (
        <Tooltip key={to} label={label} position="right" disabled={!rail}>
          <Link
            to={to}
            aria-label={rail ? label : undefined}
            aria-current={isAt(pathname, to) ? "page" : undefined}
            onClick={onChoose}
          >
            <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
            {!rail && label}
            {!rail && to === INBOX && <InboxCount />}
          </Link>
        </Tooltip>
      ))}
    </div>
  );
}

/** The inbox is below the memory page, and a place of its own; the sessions are a tab of it. */
function isAt(pathname: string, to: string): boolean {
  const isInbox = pathname.startsWith(INBOX);
  if (to === MEMORY && pathname.startsWith("/sessions")) return true;
  return pathname.startsWith(to) && (to !== MEMORY || !isInbox);
}
