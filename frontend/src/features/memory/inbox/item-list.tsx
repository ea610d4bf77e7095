/** The list of what waits, with filters, and actions on the selected items. */

import { Button } from "@mantine/core";
import { ListFilter } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { type InboxItem, NO_FILTERS } from "@/api/inbox";
import { TextButton } from "@/components/ui/text-button";
import { inbox } from "@/texts/inbox";
import { itemPath } from "../routes";
import { FilterFields } from "./filter-fields";
import classes from "./inbox.module.css";
import { confidenceOf, describe, isDeclinable, isReplacing, titleOfMemory } from "./item-words";
import type { Decisions } from "./use-decisions";
import type { Waiting } from "./use-waiting";
import { ViewTabs } from "./view-tabs";

interface Props {
  waiting: Waiting;
  decisions: Decisions;
  canDecide: boolean;
}

export function ItemList({ waiting, decisions, canDecide }: Props) {
  const { items, query, selected, filters } = waiting;
  const [areFiltersOpen, setFiltersOpen] = useState(false);
  return (
    <aside className={classes.list} data-open={waiting.isOpen} aria-label={inbox.list}>
      <div className={classes.head}>
        <ViewTabs />
        <Button
          variant="subtle"
          size="compact-sm"
          aria-expanded={areFiltersOpen}
          leftSection={<ListFilter size={16} strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => setFiltersOpen(!areFiltersOpen)}
        >
          {inbox.filters}
        </Button>
      </div>
      {areFiltersOpen && <FilterFields filters={filters} onChange={waiting.setFilters} />}
      {selected.length > 0 && <BulkActions waiting={waiting} decisions={decisions} />}
      <div className={classes.scroll}>
        {items.length === 0 && (
          <p className={classes.hint}>
            {inbox.emptyFiltered}{" "}
            <TextButton onClick={() => waiting.setFilters(NO_FILTERS)}>{inbox.clearFilters}</TextButton>
          </p>
        )}
        <ul>
          {items.map((item) => (
            <Row key={item.id} item={item} waiting={waiting} canDecide={canDecide} />
          ))}
        </ul>
        {query.hasNextPage && (
          <Button
            size="compact-sm"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {inbox.more}
          </Button>
        )}
      </div>
      <p className={classes.note}>{inbox.note}</p>
    </aside>
  );
}

interface RowProps {
  item: InboxItem;
  waiting: Waiting;
  canDecide: boolean;
}

function Row({ item, waiting, canDecide }: RowProps) {
  const title = titleOfMemory(item.memory);
  const confidence = confidenceOf(item);
  return (
    <li className={classes.row} data-current={item.id === waiting.current?.id}>
      {canDecide && (
        <input
          type="checkbox"
          aria-label={inbox.select(title)}
          checked={waiting.selected.includes(item)}
          onChange={() => waiting.toggle(item.id)}
        />
      )}
      <Link to={itemPath(item.id)} aria-current={item.id === waiting.current?.id ? "true" : undefined}>
        <span className={classes.rowTitle}>{title}</span>
        <span className={classes.rowMeta}>
          <span>{describe(item)}</span>
          {item.replaces.length > 0 && <span className={classes.rowWarn}>{inbox.contradiction}</span>}
          {confidence !== null && <span className={classes.rowScore}>{confidence}</span>}
        </span>
      </Link>
    </li>
  );
}

function BulkActions({ waiting, decisions }: Pick<Props, "waiting" | "decisions">) {
  const { selected } = waiting;
  const replacing = selected.filter(isReplacing);
  const declinable = selected.filter(isDeclinable);
  return (
    <div className={classes.bulk} role="group" aria-label={inbox.selected(selected.length)}>
      <span>{inbox.selected(selected.length)}</span>
      <Button size="compact-sm" onClick={() => decisions.decide(selected, "approve")}>
        {inbox.actions.approve}
      </Button>
      {replacing.length > 0 && (
        <Button size="compact-sm" onClick={() => decisions.decide(replacing, "replace")}>
          {inbox.actions.replace}
        </Button>
      )}
      {declinable.length > 0 && (
        <Button size="compact-sm" onClick={() => decisions.decide(declinable, "decline")}>
          {inbox.actions.decline}
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" onClick={waiting.clear}>
        {inbox.clear}
      </Button>
    </div>
  );
}
