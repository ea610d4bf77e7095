/** A preview of an import: the recognized memories, their target, and the result of a dry run. */

import type { ImportResults } from "@/api/memories";
import { memory } from "@/texts/memory";
import shared from "../shared.module.css";
import classes from "./import.module.css";
import { AllItems, RefusedItems } from "./item-results";
import { type MemoryFile, importTarget, type Unreadable } from "./memory-file";

const words = memory.import;
/** The number of addresses shown. */
const MAX_SHOWN = 10;

interface Props {
  parsed: MemoryFile | Unreadable;
  folder: string;
  /** The result of a dry run. */
  results: ImportResults | undefined;
}

export function ImportPreview({ parsed, folder, results }: Props) {
  const summary = typeof parsed === "string" ? words.unreadable[parsed] : summaryOf(parsed, folder);
  return (
    <section className={shared.part} aria-label={words.preview}>
      <p role="status" className={shared.told}>
        {summary} {results && words.would(results)}
      </p>
      {results === undefined && typeof parsed !== "string" && <Addresses uris={parsed.uris} />}
      {results && <RefusedItems items={results.items} />}
      {results && <AllItems items={results.items} />}
    </section>
  );
}

function summaryOf(file: MemoryFile, folder: string): string {
  const place = importTarget(file, folder);
  const holds = words.holds(words.formats[file.format], file.uris.length);
  return `${holds} ${place === null ? words.stays : words.goes(place)}`;
}

function Addresses({ uris }: { uris: readonly string[] }) {
  const knownUris = uris.filter(Boolean);
  return (
    <>
      <ul className={classes.addresses}>
        {knownUris.slice(0, MAX_SHOWN).map((uri, number) => (
          <li key={number} className={shared.address}>
            {uri}
          </li>
        ))}
      </ul>
      {knownUris.length > MAX_SHOWN && (
        <p className={shared.hint}>{words.more(knownUris.length - MAX_SHOWN)}</p>
      )}
    </>
  );
}
