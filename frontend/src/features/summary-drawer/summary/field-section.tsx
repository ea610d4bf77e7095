/** One of the summary's seven fields: its lines, and writing in it by hand. */

import { ActionIcon } from "@mantine/core";
import { Pencil, Pin, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { SummaryField } from "@/api/summary";
import { Section } from "@/components/section";
import { toast } from "@/components/toast";
import { count } from "@/lib/format";
import { texts } from "@/texts";
import { LineActions } from "../line-actions";
import { usePinText } from "../lists/use-pin-message";
import { LineForm } from "./line-form";
import { LineSources } from "./line-sources";
import { LineWords } from "./line-words";
import { type DrawerLine, plainText } from "./lines";
import { categoryOf } from "./pin-line";
import classes from "./summary.module.css";
import { useCorrection } from "./use-correction";

interface Props {
  field: SummaryField;
  lines: DrawerLine[];
}

/** The line that is being written, or `new`. */
type Writing = DrawerLine | "new" | null;

export function FieldSection({ field, lines }: Props) {
  const [writing, setWriting] = useState<Writing>(null);
  const { summary } = texts.drawer;
  const end = () => setWriting(null);
  const old = writing === "new" ? null : writing;
  const present = lines.find(({ key }) => key === old?.key) ?? null;
  const add = (
    <ActionIcon size={24} aria-label={summary.addTo(summary.one[field])} onClick={() => setWriting("new")}>
      <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
    </ActionIcon>
  );
  const form = writing !== null && <LineForm field={field} old={old} present={present} onEnd={end} />;
  return (
    <Section
      name={`summary-${field}`}
      title={summary.fields[field]}
      count={count(lines.length)}
      openAtFirst={lines.length > 0}
      forceOpen={writing !== null}
      action={add}
    >
      {lines.length === 0 && writing === null && <p className={classes.none}>{summary.none}</p>}
      <ul className={classes.lines}>
        {lines.map((line) =>
          line === present ? (
            <li key={line.key}>{form}</li>
          ) : (
            <SummaryLine key={line.key} line={line} onEdit={() => setWriting(line)} />
          ),
        )}
      </ul>
      {present === null && form}
    </Section>
  );
}

function SummaryLine({ line, onEdit }: { line: DrawerLine; onEdit: () => void }) {
  const { remove } = useCorrection();
  const pin = usePinText();
  const { deeds, summary } = texts.drawer;
  const text = plainText(line);
  const takeOut = async () => {
    const outcome = await remove(line);
    if (!outcome.ok && outcome.message !== "") toast(outcome.message, { tone: "bad" });
  };
  const actions = [
    { icon: Pencil, label: deeds.edit, name: summary.edit(text), run: onEdit },
    { icon: Pin, label: deeds.pin, name: summary.pin(text), run: () => pin(text, categoryOf(line)) },
    { icon: Trash2, label: deeds.remove, name: summary.remove(text), run: () => void takeOut() },
  ];
  return (
    <li className={classes.line}>
      <span className={classes.words}>
        {line.corrected && (
          <Pencil
            className={classes.pencil}
            size={13}
            strokeWidth={1.75}
            role="img"
            aria-label={summary.corrected}
          />
        )}
        <LineWords line={line} />
      </span>
      <LineActions label={summary.actions(text)} actions={actions} />
      <LineSources ids={line.sources} />
    </li>
  );
}
