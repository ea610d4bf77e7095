/** Pins: text that is sent verbatim, before everything else. */

import { useQuery } from "@tanstack/react-query";
import { Pencil, Pin as PinIcon, Trash2 } from "lucide-react";
import { type Pin, pinsQuery } from "@/api/pins";
import { Section } from "@/components/ui/section";
import { TextButton } from "@/components/ui/text-button";
import { count } from "@/lib/format";
import { texts } from "@/texts";
import { drawerLists } from "@/texts/drawer-lists";
import { useDrawer } from "../drawer-context";
import { LineActions } from "../line-actions";
import { LoadError, Skeletons } from "../loading-states";
import { LineSource } from "../summary/line-sources";
import classes from "./lists.module.css";
import { useConversationDraft } from "../drafts/use-draft";
import { withForm } from "../drafts/with-form";
import { NEW_PIN, type PinDraft, PinForm } from "./pin-form";
import { useUnpin } from "./use-pin-message";

export function PinsSection() {
  const { id, canWrite } = useDrawer();
  const { data: pins, error, refetch } = useQuery(pinsQuery(id));
  const editor = useConversationDraft<Pin, PinDraft>("pins");
  const { state } = editor;
  const words = drawerLists.pins;
  const at = pins?.findIndex(({ id: pinId }) => pinId === state?.base?.id) ?? -1;
  const rows = pins?.map((pin) => (
    <PinItem key={pin.id} pin={pin} onEdit={() => editor.open(pin, draftOf(pin))} />
  ));
  const form = canWrite && state !== null && (
    <li key="form">
      <PinForm
        key={state.openedAt}
        editor={editor}
        state={state}
        current={pins === undefined ? state.base : (pins[at] ?? null)}
      />
    </li>
  );
  return (
    <Section
      name="pins"
      title={words.title}
      icon={PinIcon}
      count={pins ? counted(pins.length) : ""}
      forceOpen={form !== false}
      action={canWrite && <TextButton onClick={() => editor.open(null, NEW_PIN)}>{words.add}</TextButton>}
    >
      {error && <LoadError onRetry={() => void refetch()} />}
      {!error && !pins && <Skeletons lines={2} />}
      {pins?.length === 0 && form === false && <p className={classes.none}>{words.empty}</p>}
      <ul className={classes.list}>
        {form === false ? rows : withForm(rows ?? [], form, at, state.base === null)}
      </ul>
    </Section>
  );
}

function draftOf({ content, category }: Pin): PinDraft {
  return { content, category };
}

/** The number of pins, with the source of their token counts. */
function counted(pinCount: number): string {
  return pinCount === 0 ? count(0) : texts.drawer.counted(pinCount);
}

function PinItem({ pin, onEdit }: { pin: Pin; onEdit: () => void }) {
  const { canWrite } = useDrawer();
  const unpin = useUnpin();
  const { labels, pins: words } = drawerLists;
  const meta = words.meta(words.categories[pin.category], texts.drawer.tokens(pin.token_count));
  const actions = [
    { icon: Pencil, label: labels.edit, name: words.edit(pin.content), run: onEdit },
    { icon: Trash2, label: labels.remove, name: words.unpin(pin.content), run: () => unpin(pin) },
  ];
  return (
    <li className={classes.item}>
      <div className={classes.line}>
        <span className={classes.words}>
          {pin.content} <span className={classes.quiet}>{meta}</span>
        </span>
        {canWrite && <LineActions label={drawerLists.summary.actions(pin.content)} actions={actions} />}
        {pin.message_id !== null && <LineSource messageId={pin.message_id} />}
      </div>
    </li>
  );
}
