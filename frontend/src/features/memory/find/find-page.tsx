/** Find: a question, filters, and what was found with the reasons. It is asked when it is sent, not while it is typed. */

import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { type Corpus, findQuery, type FindWish } from "@/api/find";
import { Segmented } from "@/components/ui/segmented";
import { useTitle } from "@/components/hooks/use-title";
import { memory } from "@/texts/memory";
import { findPath } from "../routes";
import { useKeptDraft } from "../use-persisted-draft";
import { FilterFields } from "./filter-fields";
import classes from "./find.module.css";
import { Results } from "./results";
import { FIRST_RESULTS, searchOf, wishIn } from "./search-params";

const words = memory.find;
const CORPORA: readonly Corpus[] = ["all", "memories", "messages"];
const LONGEST = 200;

export function FindPage() {
  const [search] = useSearchParams();
  useTitle(words.title);
  return <Asking key={search.toString()} asked={wishIn(search)} />;
}

function Asking({ asked }: { asked: FindWish }) {
  const { draft, change, done } = useKeptDraft("find", asked);
  const [wish, setWish] = useState<FindWish>(asked.q === "" ? draft : asked);
  const navigate = useNavigate();
  const found = useQuery(findQuery(asked));
  const typed = (part: Partial<FindWish>) => {
    change(part);
    setWish({ ...wish, ...part });
  };
  const ask = (part: Partial<FindWish> = {}) => {
    const next = { ...wish, top_k: FIRST_RESULTS, ...part };
    if (next.q.trim() === "") return;
    done();
    void navigate(findPath(searchOf({ ...next, q: next.q.trim() })));
  };
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    ask();
  };
  return (
    <div className={classes.page}>
      <form className={classes.ask} role="search" aria-label={words.title} onSubmit={send}>
        <div className={classes.box}>
          <TextInput
            aria-label={words.box}
            placeholder={words.box}
            leftSection={<Search size={16} strokeWidth={1.75} aria-hidden="true" />}
            value={wish.q}
            maxLength={LONGEST}
            autoComplete="off"
            onChange={(event) => typed({ q: event.currentTarget.value })}
          />
          <Button type="submit" variant="filled" loading={found.isFetching}>
            {words.deed}
          </Button>
        </div>
        <Segmented
          label={words.corpus}
          value={wish.corpus}
          options={CORPORA.map((value) => ({ value, label: words.corpora[value] }))}
          onChange={(corpus) => {
            typed({ corpus });
            if (asked.q !== "") ask({ corpus });
          }}
        />
        <FilterFields wish={wish} onChange={typed} />
      </form>
      <Results asked={asked} found={found} onMore={(top_k) => ask({ ...asked, top_k })} />
    </div>
  );
}
