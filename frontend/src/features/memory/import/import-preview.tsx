/** What was recognised in the file, and where it would go. */

import { memory } from "@/texts/memory";
import shared from "../shared.module.css";
import classes from "./import.module.css";
import { type MemoryFile, placeFor, type Unreadable } from "./memory-file";

const words = memory.import;
/** So many addresses say what it is. */
const SHOWN = 10;

interface Props {
  found: MemoryFile | Unreadable;
  folder: string;
}

export function ImportPreview({ found, folder }: Props) {
  return (
    <section className={shared.part} aria-label={words.preview}>
      <p role="status" className={shared.told}>
        {typeof found === "string" ? words.unreadable[found] : sentence(found, folder)}
      </p>
      {typeof found !== "string" && <Addresses uris={found.uris} />}
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
  const nameless = uris.length - named.length;
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
      {nameless > 0 && <p className={shared.told}>{words.nameless(nameless)}</p>}
      <p className={shared.hint}>{words.rule}</p>
    </>
  );
}
