/** The search filters. Some apply to memories only and exclude messages. */

import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import type { FindParams } from "@/api/find";
import { TextButton } from "@/components/ui/text-button";
import { memory } from "@/texts/memory";
import { categoryName, useCategories } from "../categories";
import shared from "../shared.module.css";
import classes from "./find.module.css";
import { countFilters, NO_FILTERS } from "./search-params";

const words = memory.find;
const ANY = { value: "", label: words.any };

interface Props {
  query: FindParams;
  onChange: (part: Partial<FindParams>) => void;
}

export function FilterFields({ query, onChange }: Props) {
  const activeCount = countFilters(query);
  const [isOpen, setOpen] = useState(activeCount > 0);
  return (
    <details
      className={classes.filters}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{activeCount === 0 ? words.filters : words.filtersOn(activeCount)}</summary>
      {isOpen && <Fields query={query} onChange={onChange} />}
    </details>
  );
}

function Fields({ query, onChange }: Props) {
  const categories = useCategories();
  return (
    <>
      <div className={classes.fields}>
        <NativeSelect
          label={words.category}
          value={query.category}
          data={[ANY, ...categories.map(({ name }) => ({ value: name, label: categoryName(name) }))]}
          onChange={(event) => onChange({ category: event.currentTarget.value as FindParams["category"] })}
        />
        <NativeSelect
          label={words.trust}
          value={query.trust}
          data={[ANY, ...Object.entries(words.trusts).map(([value, label]) => ({ value, label }))]}
          onChange={(event) => onChange({ trust: event.currentTarget.value as FindParams["trust"] })}
        />
        <TextInput
          type="date"
          label={words.since}
          value={query.since}
          onChange={(event) => onChange({ since: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label={words.until}
          value={query.until}
          onChange={(event) => onChange({ until: event.currentTarget.value })}
        />
        <TextInput
          label={words.tags}
          placeholder={words.tagsAre}
          value={query.tags}
          onChange={(event) => onChange({ tags: event.currentTarget.value })}
        />
        <TextInput
          className={shared.mono ?? ""}
          label={words.within}
          value={query.uri}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange({ uri: event.currentTarget.value })}
        />
      </div>
      <p className={shared.hint}>{words.filtersAre}</p>
      {countFilters(query) > 0 && <TextButton onClick={() => onChange(NO_FILTERS)}>{words.clear}</TextButton>}
    </>
  );
}
