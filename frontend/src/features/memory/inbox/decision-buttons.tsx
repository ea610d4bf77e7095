/** The decisions about an item, each with its key; the first is the usual one. */

import { Button, type ButtonProps } from "@mantine/core";
import { Check, Clock, Combine, type LucideIcon, Pencil, Replace, X } from "lucide-react";
import type { InboxItem } from "@/api/inbox";
import { KeyCap } from "@/components/ui/key-cap";
import { inbox } from "@/texts/inbox";
import classes from "./inbox.module.css";
import { approvalOf, isDeclinable, saysReplaced } from "./item-words";
import type { Decisions } from "./use-decisions";
import type { Form } from "./use-inbox-keys";

const words = inbox.actions;

interface Props {
  item: InboxItem;
  decisions: Decisions;
  onOpen: (form: Form) => void;
  onLater: () => void;
}

export function DecisionButtons({ item, decisions, onOpen, onLater }: Props) {
  const isConflict = item.replaces.length > 0;
  const isReplaced = isConflict && saysReplaced(item);
  const canMerge = item.near_duplicates.length > 0 || isConflict;
  const decide = (verdict: Parameters<Decisions["decide"]>[1]) => () => decisions.decide([item], verdict);
  const replace = (variant: "filled" | "default") => (
    <Deed icon={Replace} keys="S" variant={variant} onClick={decide("replace")}>
      {words.replace}
    </Deed>
  );
  return (
    <div className={classes.decisions}>
      <div className={classes.buttons}>
        {isReplaced && replace("filled")}
        <Deed
          icon={Check}
          keys="A"
          variant={isReplaced ? "default" : "filled"}
          onClick={decide(approvalOf([item]))}
        >
          {isConflict ? words.both : words.approve}
        </Deed>
        {isConflict && !isReplaced && replace("default")}
        <Deed icon={Pencil} keys="E" onClick={() => onOpen("edit")}>
          {words.edit}
        </Deed>
        {canMerge && (
          <Deed icon={Combine} keys="M" onClick={() => onOpen("merge")}>
            {words.merge}
          </Deed>
        )}
        {isDeclinable(item) && (
          <Deed icon={X} keys="R" onClick={decide("decline")}>
            {words.decline}
          </Deed>
        )}
        <Deed icon={Clock} keys="L" onClick={onLater}>
          {words.later}
        </Deed>
      </div>
      <p className={classes.hint}>
        {isConflict ? inbox.replaceNote : inbox.approveNote}{" "}
        <span className={classes.keys}>
          <KeyCap keys="Z" /> {inbox.takesBack}
        </span>
      </p>
    </div>
  );
}

interface DeedProps extends Pick<ButtonProps, "variant"> {
  icon: LucideIcon;
  keys: string;
  onClick: () => void;
  children: string;
}

function Deed({ icon: Icon, keys, children, variant = "default", onClick }: DeedProps) {
  return (
    <Button
      size="compact-sm"
      variant={variant}
      leftSection={<Icon size={16} strokeWidth={1.75} aria-hidden="true" />}
      rightSection={
        <span className={classes.keys} aria-hidden="true">
          <KeyCap keys={keys} />
        </span>
      }
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
