/** The drawer's header: navigation, state and close button. */

import { ActionIcon } from "@mantine/core";
import { ArrowLeft, Check, X } from "lucide-react";
import { Tag } from "@/components/ui/tag";
import { time } from "@/lib/format";
import { texts } from "@/texts";
import { packing } from "@/texts/drawer-pack";
import { type DrawerPage, useDrawer } from "./drawer-context";
import classes from "./header.module.css";

export function DrawerHeader({ page, onClose }: { page: DrawerPage; onClose: () => void }) {
  const { navigate } = useDrawer();
  const isFirst = page.name === "context";
  const back = () => navigate(pageBefore(page));
  return (
    <header className={classes.head}>
      {!isFirst && (
        <ActionIcon aria-label={backOf(page)} onClick={back} className={classes.icon ?? ""}>
          <ArrowLeft size={16} strokeWidth={1.75} aria-hidden="true" />
        </ActionIcon>
      )}
      <h2 className={classes.title} tabIndex={-1} data-autofocus>
        {titleOf(page)}
      </h2>
      {isFirst && <RunState />}
      <ActionIcon aria-label={texts.drawer.close} onClick={onClose} className={classes.icon ?? ""}>
        <X size={16} strokeWidth={1.75} aria-hidden="true" />
      </ActionIcon>
    </header>
  );
}

export function titleOf(page: DrawerPage): string {
  switch (page.name) {
    case "context":
      return texts.drawer.title;
    case "history":
      return texts.drawer.history.title;
    case "comparison":
      return texts.drawer.comparison.title(page.from, page.to);
    case "pack":
      return packing.pack.title;
  }
}

export function pageBefore(page: DrawerPage): DrawerPage {
  return { name: page.name === "comparison" ? page.back : "context" };
}

function backOf(page: DrawerPage): string {
  const isInHistory = page.name === "comparison" && page.back === "history";
  return isInHistory ? texts.drawer.comparison.back : texts.drawer.back;
}

function RunState() {
  const { view, run } = useDrawer();
  if (run.isUnderway) return <Tag tone="live">{texts.drawer.run.tag}</Tag>;
  const finished = run.detail?.finished_at;
  if (view?.state.health.status !== "compacted" || finished == null) return null;
  return (
    <Tag tone="ok">
      <Check size={12} strokeWidth={2} aria-hidden="true" />
      {texts.drawer.finished.tag(time(finished))}
    </Tag>
  );
}
