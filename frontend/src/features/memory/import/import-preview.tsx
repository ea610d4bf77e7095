/** What was recognised in the file, where it would go, and what the server says would become of it. */

import type { ImportResults } from "@/api/memories";
import { memory } from "@/texts/memory";
import shared from "../shared.module.css";
import classes from "./import.module.css";
import { EveryItem, RefusedItems } from "./item-results";
import { type MemoryFile, placeFor, type Unreadable } from "./memory-file";

const words = memory.import;
/** So many addresses say what it is. */
const SHOWN = 10;

interface Props {
  found: MemoryFile | Unreadable;
  folder: string;
  /** Of a trial. */
  results: ImportResults | undefined;
}

export function ImportPreview({ found, folder, results }: Props) {
  const said = typeof found === "string" ? words.unreadable[found] : sentence(found, folder);
  return (
    <section className={shared.part} aria-label={words.preview}>
      <p role="status" className={shared.told}>
        {said} {results && words.would(results)}
      </p>
      {results === undefined && typeof found !== "string" && <Addresses uris={found.uris} />}
      {results && <RefusedItems items={results.items} />}
      {results && <EveryItem items={results.items} />}
    </section>
  );
}

function sentence(file: MemoryFile, folder: string): string {
  const place = placeFor(file, folder);
  const holds = words.holds(words.formats[file.format], file.uris.length);
  return `${holds} ${place === null ? words.stays : words.goes(place)}`;
}

function Addresses({ uris }: { uris: readonly string[] }) {
  const named = uris.filter(Boolean);
  return (
    <>
      <ul className={classes.addresses}>
        {named.slice(0, SHOWN).map((uri, number) => (
          <li key={number} className={shared.address}>
            {uri}
          </li>
        ))}
      </ul>
      {named.length > SHOWN && <p className={shared.hint}>{words.more(named.length - SHOWN)}</p>}
    </>
  );
}
