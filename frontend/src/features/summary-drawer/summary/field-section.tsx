/** One of the summary's seven fields: its lines and their manual edits. */

import { ActionIcon } from "@mantine/core";
import { Pencil, Pin, Plus, Trash2 } from "lucide-react";
import type { SummaryField } from "@/api/summary";
import { Section } from "@/components/ui/section";
import { TextButton } from "@/components/ui/text-button";
import { toast } from "@/components/feedback/toast";
import { count } from "@/lib/format";
import { drawerLists } from "@/texts/drawer-lists";
import { useDrawer } from "../drawer-context";
import { LineActions } from "../line-actions";
import { usePinText } from "../lists/use-pin-message";
import { useConversationDraft } from "../drafts/use-draft";
import { useSingleFlight } from "../use-single-flight";
import { withForm } from "../drafts/with-form";
import { LineForm } from "./line-form";
import { LineSources } from "./line-sources";
import { LineText } from "./line-words";
import { type DrawerLine, plainText } from "./lines";
import { categoryOf } from "./pin-line";
import classes from "./summary.module.css";
import { blank, type Draft, draftOf } from "./draft";
import { useCorrection } from "./use-correction";

interface Props {
  field: SummaryField;
  lines: DrawerLine[];
  /** Lines removed so far because the field was full. */
  dropped: number;
}

export function FieldSection({ field, lines, dropped }: Props) {
  const { canWrite } = useDrawer();
  const editor = useConversationDraft<DrawerLine, Draft>(field);
  const { state } = editor;
  const { summary } = drawerLists;
  const at = lines.findIndex(({ key }) => key === state?.base?.key);
  const rows = lines.map((line) => (
    <SummaryLine key={line.key} line={line} onEdit={() => editor.open(line, draftOf(line))} />
  ));
  const form = canWrite && state !== null && (
    <li key="form">
      <LineForm key={state.openedAt} editor={editor} state={state} current={lines[at] ?? null} />
    </li>
  );
  return (
    <Section
      name={`summary-${field}`}
      title={summary.fields[field]}
      count={count(lines.length)}
      openAtFirst={lines.length > 0}
      forceOpen={form !== false}
      action={canWrite && <Add field={field} onAdd={() => editor.open(null, blank(field))} />}
    >
      {lines.length === 0 && form === false && <p className={classes.none}>{summary.none}</p>}
      <ul className={classes.lines}>{form === false ? rows : withForm(rows, form, at)}</ul>
      {dropped > 0 && <Dropped shown={lines.length} dropped={dropped} />}
    </Section>
  );
}

function Dropped({ shown, dropped }: { shown: number; dropped: number }) {
  const { navigate } = useDrawer();
  const { summary } = drawerLists;
  return (
    <p className={classes.none}>
      {summary.dropped(shown, dropped)}{" "}
      <TextButton onClick={() => navigate({ name: "history" })}>{summary.history}</TextButton>
    </p>
  );
}

function Add({ field, onAdd }: { field: SummaryField; onAdd: () => void }) {
  const { summary } = drawerLists;
  const name = summary.addTo(summary.one[field]);
  return (
    <ActionIcon size={24} className={classes.add ?? ""} aria-label={name} onClick={onAdd}>
      <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
    </ActionIcon>
  );
}

function SummaryLine({ line, onEdit }: { line: DrawerLine; onEdit: () => void }) {
  const { canWrite } = useDrawer();
  const { summary } = drawerLists;
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
        <LineText line={line} />
        {line.reported && <span className={classes.reported}> {summary.reported}</span>}
      </span>
      {canWrite && <LineMenu line={line} onEdit={onEdit} />}
      <LineSources ids={line.sources} />
    </li>
  );
}

function LineMenu({ line, onEdit }: { line: DrawerLine; onEdit: () => void }) {
  const { remove } = useCorrection();
  const singleFlight = useSingleFlight();
  const pin = usePinText();
  const { labels, summary } = drawerLists;
  const text = plainText(line);
  const removeLine = async () => {
    const outcome = await remove(line);
    if (!outcome.ok && outcome.message !== "") toast(outcome.message, { tone: "bad" });
  };
  const actions = [
    { icon: Pencil, label: labels.edit, name: summary.edit(text), run: onEdit },
    { icon: Pin, label: labels.pin, name: summary.pin(text), run: () => pin(text, categoryOf(line)) },
    { icon: Trash2, label: labels.remove, name: summary.remove(text), run: () => singleFlight(removeLine) },
  ];
  return <LineActions label={summary.actions(text)} actions={actions} />;
}
