/** The result of an import. Rejected memories can be fixed and sent again. */

import { Button } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { ImportResults } from "@/api/memories";
import { memory } from "@/texts/memory";
import shared from "../shared.module.css";
import { AllItems, RefusedItems } from "./item-results";

const words = memory.import;

interface Props {
  results: ImportResults;
  onBack: () => void;
  onClose: () => void;
}

export function ImportOutcome({ results, onBack, onClose }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={shared.form} aria-label={words.done}>
      <h2 ref={heading} tabIndex={-1}>
        {words.outcome(results)}
      </h2>
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
