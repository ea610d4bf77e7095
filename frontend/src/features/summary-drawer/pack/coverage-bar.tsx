/** The treatment of the live messages before the current one in the pack, as a bar and as text. */

import clsx from "clsx";
import type { PackMetadata } from "@/api/context";
import { packing } from "@/texts/drawer-pack";
import classes from "./share.module.css";

type Coverage = PackMetadata["coverage"];
type Kind = Exclude<keyof Coverage, "compacted">;

/** The same colors as in the other bars. */
const FILLS: Record<Kind, string> = {
  shown: "p-recent",
  key: "p-quoted",
  summarized: "p-earlier",
  dropped: "p-free",
};
const KINDS = Object.keys(FILLS) as Kind[];

export function CoverageBar({ coverage }: { coverage: Coverage }) {
  const words = packing.share;
  return (
    <div role="group" aria-label={words.coverage}>
      <p className={classes.label} aria-hidden="true">
        {words.coverage}
      </p>
      <div className={classes.bar} aria-hidden="true">
        {KINDS.filter((kind) => coverage[kind] > 0).map((kind) => (
          <span
            key={kind}
            className={clsx(classes.share, FILLS[kind])}
            style={{ flexGrow: coverage[kind] }}
          />
        ))}
      </div>
      <ul className={classes.kinds}>
        {KINDS.map((kind) => (
          <li key={kind} className={classes.kind}>
            <span className={clsx(classes.swatch, FILLS[kind])} aria-hidden="true" />
            {words[kind](coverage[kind])}
          </li>
        ))}
      </ul>
      {coverage.compacted > 0 && <p className={classes.label}>{words.included(coverage.compacted)}</p>}
    </div>
  );
}
