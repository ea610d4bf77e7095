/** Candidates for a merge: neighbors, or search results below the same root. */

import { Button, TextInput } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useState } from "react";
import { findQuery } from "@/api/find";
import type { MemoryNode } from "@/api/memories";
import { treeQuery } from "@/api/tree";
import { problemMessage } from "@/components/feedback/toast";
import { memory } from "@/texts/memory";
import { parentOf, rootOf, titleOf } from "../address";
import { withDefaults } from "../find/search-params";
import shared from "../shared.module.css";
import classes from "./merge.module.css";

const words = memory.merge;

interface Candidate {
  id: string;
  uri: string;
  abstract: string;
}

interface Props {
  node: MemoryNode;
  chosen: readonly string[];
  onChoose: (chosen: readonly string[]) => void;
}

export function MergeChoice({ node, chosen, onChoose }: Props) {
  const [typed, setTyped] = useState("");
  const [submitted, setSubmitted] = useState("");
  const neighbors = useNeighbors(node, submitted === "");
  const results = useQuery(
    findQuery(withDefaults({ q: submitted, corpus: "memories", uri: rootOf(node.uri) })),
  );
  const hits = results.data?.hits.filter(({ kind, id }) => kind === "memory" && id !== node.id) ?? [];
  const candidates: Candidate[] = submitted === "" ? neighbors : hits;
  const search = () => setSubmitted(typed.trim());
  const searchOnEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    search();
  };
  const toggle = (id: string) =>
    onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <>
      <div className={classes.search}>
        <TextInput
          label={words.search}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={searchOnEnter}
        />
        <Button loading={results.isFetching} onClick={search}>
          {words.searchDeed}
        </Button>
      </div>
      {results.error && <p className={shared.told}>{problemMessage(results.error)}</p>}
      <fieldset className={classes.candidates}>
        <legend>{submitted === "" ? words.near : words.found}</legend>
        {candidates.length === 0 && <p className={shared.hint}>{words.none}</p>}
        {candidates.map(({ id, uri, abstract }) => (
          <label key={id} className={classes.candidate}>
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
            <span>
              <strong>{titleOf(uri)}</strong>
              {abstract !== "" && <span className={shared.told}>{abstract}</span>}
              <span className={shared.address}>{uri}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </>
  );
}

/** The memories in the same directory. */
function useNeighbors(node: MemoryNode, enabled: boolean): Candidate[] {
  const { data } = useInfiniteQuery({ ...treeQuery(parentOf(node.uri) ?? node.uri, false), enabled });
  const lines = data?.pages.flatMap((page) => page.data) ?? [];
  return lines.flatMap(({ id, uri, abstract, node_type }) =>
    id === null || id === node.id || node_type === "dir" ? [] : [{ id, uri, abstract }],
  );
}
