/** The search page: query, filters, and results with explained scores. It searches on submit, not while typing. */

import { Button, TextInput } from "@mantine/core";
import { useIsFetching } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import type { Corpus, FindParams } from "@/api/find";
import { keys } from "@/api/keys";
import { Segmented } from "@/components/ui/segmented";
import { useTitle } from "@/components/hooks/use-title";
import { memory } from "@/texts/memory";
import { memorySearch } from "@/texts/memory-search";
import { findPath } from "../routes";
import shared from "../shared.module.css";
import { usePersistedDraft } from "../use-persisted-draft";
import { FilterFields } from "./filter-fields";
import classes from "./find.module.css";
import { Results } from "./results";
import { FIRST_RESULTS, MODES, parseSearch, withoutDefaults } from "./search-params";

const words = memory.find;
const CORPORA: readonly Corpus[] = ["all", "memories", "messages"];
const MAX_QUERY_LENGTH = 200;

export function FindPage() {
  const [search] = useSearchParams();
  useTitle(words.title);
  return <SearchForm key={search.toString()} submitted={parseSearch(search)} />;
}

function SearchForm({ submitted }: { submitted: FindParams }) {
  const { draft, change, done } = usePersistedDraft("find", submitted);
  const [query, setQuery] = useState<FindParams>(submitted.q === "" ? draft : submitted);
  const navigate = useNavigate();
  const isFetching = useIsFetching({ queryKey: keys.searches }) > 0;
  const edit = (part: Partial<FindParams>) => {
    change(part);
    setQuery({ ...query, ...part });
  };
  const runSearch = (part: Partial<FindParams> = {}) => {
    const next = { ...query, top_k: FIRST_RESULTS, ...part };
    if (next.q.trim() === "") return;
    done();
    void navigate(findPath(withoutDefaults({ ...next, q: next.q.trim() })));
  };
  const choose = (part: Partial<FindParams>) => {
    edit(part);
    if (submitted.q !== "") runSearch(part);
  };
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    runSearch();
  };
  return (
    <div className={classes.page}>
      <form className={classes.ask} role="search" aria-label={words.title} onSubmit={onSubmit}>
        <div className={classes.box}>
          <TextInput
            aria-label={words.box}
            placeholder={words.box}
            leftSection={<Search size={16} strokeWidth={1.75} aria-hidden="true" />}
            value={query.q}
            maxLength={MAX_QUERY_LENGTH}
            autoComplete="off"
            onChange={(event) => edit({ q: event.currentTarget.value })}
          />
          <Button type="submit" variant="filled" loading={isFetching}>
            {words.deed}
          </Button>
        </div>
        <div className={classes.choices}>
          <Segmented
            label={words.corpus}
            value={query.corpus}
            options={CORPORA.map((value) => ({ value, label: words.corpora[value] }))}
            onChange={(corpus) => choose({ corpus })}
          />
          <Segmented
            label={memorySearch.mode}
            value={query.mode}
            options={MODES.map((value) => ({ value, label: memorySearch.modes[value] }))}
            onChange={(mode) => choose({ mode })}
          />
          <p className={shared.hint}>{memorySearch.modesAre[query.mode]}</p>
        </div>
        <FilterFields query={query} onChange={edit} />
      </form>
      <Results submitted={submitted} onRefine={(part) => runSearch({ ...submitted, ...part })} />
    </div>
  );
}
