/** The result of an import. Rejected memories can be fixed and sent again. */

import { Button } from "@mantine/core";
import { useEffect, useRef } from "react";
import { Link } from "react-router";
import type { ImportResults } from "@/api/memories";
import { INBOX } from "@/lib/memory-paths";
import { importChoice } from "@/texts/import-choice";
import { importFiles } from "@/texts/import-files";
import { memory } from "@/texts/memory";
import shared from "../shared.module.css";
import { AllItems, RefusedItems } from "./item-results";

const words = memory.import;

interface Props {
  results: ImportResults;
  /** Whether nobody said that the memories are their own. */
  waits: boolean;
  onBack: () => void;
  onClose: () => void;
}

export function ImportOutcome({ results, waits, onBack, onClose }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={shared.form} aria-label={words.done}>
      <h2 ref={heading} tabIndex={-1}>
        {words.outcome(results)}
      </h2>
      {waits && (
        <p className={shared.told}>
          {importChoice.wait} <Link to={INBOX}>{importFiles.inbox}</Link>
        </p>
      )}
      <RefusedItems items={results.items} />
      <AllItems items={results.items} />
      <div className={shared.actions}>
        <Button variant="filled" onClick={onClose}>
          {words.toFolder}
        </Button>
        {results.refused > 0 && (
          <Button variant="subtle" onClick={onBack}>
            {words.back}
          </Button>
        )}
      </div>
    </section>
  );
}
