/** What else must hold of what is found. Those of memories alone leave messages out. */

import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import type { FindWish } from "@/api/find";
import { TextButton } from "@/components/ui/text-button";
import { memory } from "@/texts/memory";
import { categoryName, useCategories } from "../categories";
import shared from "../shared.module.css";
import classes from "./find.module.css";
import { filtersOn, NO_FILTERS } from "./search-params";

const words = memory.find;
const ANY = { value: "", label: words.any };

interface Props {
  wish: FindWish;
  onChange: (part: Partial<FindWish>) => void;
}

export function FilterFields({ wish, onChange }: Props) {
  const many = filtersOn(wish);
  const [isOpen, setOpen] = useState(many > 0);
  return (
    <details
      className={classes.filters}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{many === 0 ? words.filters : words.filtersOn(many)}</summary>
      {isOpen && <Fields wish={wish} onChange={onChange} />}
    </details>
  );
}

function Fields({ wish, onChange }: Props) {
  const categories = useCategories();
  return (
    <>
      <div className={classes.fields}>
        <NativeSelect
          label={words.category}
          value={wish.category}
          data={[ANY, ...categories.map(({ name }) => ({ value: name, label: categoryName(name) }))]}
          onChange={(event) => onChange({ category: event.currentTarget.value as FindWish["category"] })}
        />
        <NativeSelect
          label={words.trust}
          value={wish.trust}
          data={[ANY, ...Object.entries(words.trusts).map(([value, label]) => ({ value, label }))]}
          onChange={(event) => onChange({ trust: event.currentTarget.value as FindWish["trust"] })}
        />
        <TextInput
          type="date"
          label={words.since}
          value={wish.since}
          onChange={(event) => onChange({ since: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label={words.until}
          value={wish.until}
          onChange={(event) => onChange({ until: event.currentTarget.value })}
        />
        <TextInput
          label={words.tags}
          placeholder={words.tagsAre}
          value={wish.tags}
          onChange={(event) => onChange({ tags: event.currentTarget.value })}
        />
        <TextInput
          className={shared.mono ?? ""}
          label={words.within}
          value={wish.uri}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange({ uri: event.currentTarget.value })}
        />
      </div>
      <p className={shared.hint}>{words.filtersAre}</p>
      {filtersOn(wish) > 0 && <TextButton onClick={() => onChange(NO_FILTERS)}>{words.clear}</TextButton>}
    </>
  );
}
