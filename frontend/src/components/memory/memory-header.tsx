/** The header of the memory page and of the sessions, which is a part of it. */

import type { ReactNode } from "react";
import { Link, NavLink, useLocation } from "react-router";
import { InboxCount } from "@/components/ui/inbox-count";
import { PageHeader } from "@/components/ui/page-header";
import { FIND, INBOX, SESSIONS, TREE } from "@/lib/memory-paths";
import { memoryTabs } from "@/texts/memory-tabs";

export function MemoryHeader({ action }: { action?: ReactNode }) {
  const { pathname } = useLocation();
  const isTree = ![FIND, INBOX, SESSIONS].some((path) => pathname.startsWith(path));
  const tabs = (
    <>
      <Link to={TREE} aria-current={isTree ? "page" : undefined}>
        {memoryTabs.tree}
      </Link>
      <NavLink to={FIND}>{memoryTabs.find}</NavLink>
      <NavLink to={INBOX}>
        {memoryTabs.inbox} <InboxCount />
      </NavLink>
      <NavLink to={SESSIONS}>{memoryTabs.sessions}</NavLink>
    </>
  );
  return <PageHeader title={memoryTabs.title} parts={memoryTabs.parts} tabs={tabs} action={action} />;
}
