import clsx from "clsx";
import { useEffect } from "react";
import { KeyCap } from "@/components/ui/key-cap";
import { palette } from "@/texts/palette";
import type { Item, ItemGroup } from "./items";
import classes from "./results.module.css";

interface Props {
  groups: ItemGroup[];
  active: Item | undefined;
  listId: string;
  onPoint: (item: Item) => void;
  onRun: (item: Item) => void;
}

export function Results({ groups, active, listId, onPoint, onRun }: Props) {
  const activeId = active && optionId(active);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);
  return (
    <div className={classes.results} role="listbox" id={listId} aria-label={palette.title}>
      {groups.map(({ name, items }) => (
        <div key={name} role="group" aria-labelledby={headId(name)}>
          <div className={classes.head} id={headId(name)} role="presentation">
            {name}
          </div>
          {items.map((item) => (
            <Option
              key={item.id}
              item={item}
              active={item.id === active?.id}
              onPoint={onPoint}
              onRun={onRun}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  item: Item;
  active: boolean;
  onPoint: (item: Item) => void;
  onRun: (item: Item) => void;
}

/** The result list; the focus stays in the field, which handles the keys. */
function Option({ item, active, onPoint, onRun }: OptionProps) {
  const { Icon, label, detail, keys, isDetailBelow } = item;
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- The field has the focus and hears them.
    <div
      id={optionId(item)}
      className={classes.option}
      role="option"
      aria-selected={active}
      tabIndex={-1}
      onMouseMove={() => {
        if (!active) onPoint(item);
      }}
      onClick={() => onRun(item)}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className={clsx(classes.words, isDetailBelow && classes.stacked)}>
        <span className={classes.label}>{label}</span>
        {detail !== undefined && <span className={classes.detail}>{detail}</span>}
      </span>
      {keys !== undefined && <KeyCap keys={keys} />}
    </div>
  );
}

export function optionId(item: Item): string {
  return `palette-${item.id}`;
}

function headId(name: string): string {
  return `palette-head-${name}`.replace(/\s/g, "-");
}
