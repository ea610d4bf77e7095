/** Filters of the list. */

import { NativeSelect } from "@mantine/core";
import type { InboxFilters } from "@/api/inbox";
import { capitalize } from "@/texts/plural";
import { inbox } from "@/texts/inbox";
import { categoryName, useCategories } from "../categories";
import classes from "./inbox.module.css";

interface Props {
  filters: InboxFilters;
  onChange: (filters: InboxFilters) => void;
}

export function FilterFields({ filters, onChange }: Props) {
  const categories = useCategories();
  return (
    <div className={classes.filters}>
      <NativeSelect
        label={inbox.category}
        value={filters.category}
        data={[
          { value: "", label: inbox.any },
          ...categories.map(({ name }) => ({ value: name, label: capitalize(categoryName(name)) })),
        ]}
        onChange={(event) => onChange({ ...filters, category: event.currentTarget.value })}
      />
      <NativeSelect
        label={inbox.source}
        value={filters.source_kind}
        data={[
          { value: "", label: inbox.any },
          ...Object.entries(inbox.sources).map(([value, label]) => ({ value, label })),
        ]}
        onChange={(event) => onChange({ ...filters, source_kind: event.currentTarget.value })}
      />
      <NativeSelect
        label={inbox.order}
        value={filters.order}
        data={[
          { value: "newest", label: inbox.orders.newest },
          { value: "oldest", label: inbox.orders.oldest },
        ]}
        onChange={(event) =>
          onChange({ ...filters, order: event.currentTarget.value === "oldest" ? "oldest" : "newest" })
        }
      />
    </div>
  );
}
