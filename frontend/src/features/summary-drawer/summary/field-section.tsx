/** One of the summary's seven fields: its lines, and writing in it by hand. */

import { ActionIcon } from "@mantine/core";
import { Pencil, Pin, Plus, Trash2 } from "lucide-react";
import type { SummaryField } from "@/api/summary";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/feedback/toast";
import { count } from "@/lib/format";
import { texts } from "@/texts";
import { useDrawer } from "../drawer-context";
import { LineActions } from "../line-actions";
import { usePinText } from "../lists/use-pin-message";
import { useWritingHere } from "../drafts/use-draft";
import { useOneAtATime } from "../use-single-flight";
import { withForm } from "../drafts/with-form";
import { LineForm } from "./line-form";
import { LineSources } from "./line-sources";
import { LineWords } from "./line-words";
import { type DrawerLine, plainText } from "./lines";
import { categoryOf } from "./pin-line";
import classes from "./summary.module.css";
import { blank, type Draft, draftOf } from "./draft";
import { useCorrection } from "./use-correction";

interface Props {
  field: SummaryField;
  lines: DrawerLine[];
}

export function FieldSection({ field, lines }: Props) {
  const { canWrite } = useDrawer();
  const writer = useWritingHere<DrawerLine, Draft>(field);
  const { writing } = writer;
  const { summary } = texts.drawer;
  const at = lines.findIndex(({ key }) => key === writing?.old?.key);
  const rows = lines.map((line) => (
    <SummaryLine key={line.key} line={line} onEdit={() => writer.begin(line, draftOf(line))} />
  ));
  const form = canWrite && writing !== null && (
    <li key="form">
      <LineForm key={writing.begun} writer={writer} writing={writing} present={lines[at] ?? null} />
    </li>
  );
  return (
    <Section
      name={`summary-${field}`}
      title={summary.fields[field]}
      count={count(lines.length)}
      openAtFirst={lines.length > 0}
      forceOpen={form !== false}
      action={canWrite && <Add field={field} onAdd={() => writer.begin(null, blank(field))} />}
    >
      {lines.length === 0 && form === false && <p className={classes.none}>{summary.none}</p>}
      <ul className={classes.lines}>{form === false ? rows : withForm(rows, form, at)}</ul>
    </Section>
  );
}

function Add({ field, onAdd }: { field: SummaryField; onAdd: () => void }) {
  const { summary } = texts.drawer;
  const name = summary.addTo(summary.one[field]);
  return (
    <ActionIcon size={24} className={classes.add ?? ""} aria-label={name} onClick={onAdd}>
      <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
    </ActionIcon>
  );
}

function SummaryLine({ line, onEdit }: { line: DrawerLine; onEdit: () => void }) {
  const { canWrite } = useDrawer();
  const { summary } = texts.drawer;
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
      {canWrite && <Deeds line={line} onEdit={onEdit} />}
      <LineSources ids={line.sources} />
    </li>
  );
}

function Deeds({ line, onEdit }: { line: DrawerLine; onEdit: () => void }) {
  const { remove } = useCorrection();
  const once = useOneAtATime();
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
    { icon: Trash2, label: deeds.remove, name: summary.remove(text), run: () => once(takeOut) },
  ];
  return <LineActions label={summary.actions(text)} actions={actions} />;
}
