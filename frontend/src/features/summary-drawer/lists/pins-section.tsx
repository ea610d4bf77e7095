/** Pins: text that is sent word for word, before everything else. */

import { useQuery } from "@tanstack/react-query";
import { Pencil, Pin as PinIcon, Trash2 } from "lucide-react";
import { useState } from "react";
import { type Pin, pinsQuery } from "@/api/pins";
import { Section } from "@/components/section";
import { TextButton } from "@/components/text-button";
import { count } from "@/lib/format";
import { texts } from "@/texts";
import { useDrawer } from "../drawer-context";
import { LineActions } from "../line-actions";
import { NotLoaded, Skeletons } from "../states";
import { LineSource } from "../summary/line-sources";
import classes from "./lists.module.css";
import { PinForm } from "./pin-form";
import { useUnpin } from "./use-pin-message";

export function PinsSection() {
  const { id } = useDrawer();
  const { data: pins, error, refetch } = useQuery(pinsQuery(id));
  const [writing, setWriting] = useState<Pin | "new" | null>(null);
  const words = texts.drawer.pins;
  const end = () => setWriting(null);
  const old = writing === "new" ? null : writing;
  const present = pins?.find((pin) => pin.id === old?.id) ?? null;
  return (
    <Section
      name="pins"
      title={words.title}
      icon={PinIcon}
      count={pins ? count(pins.length) : ""}
      forceOpen={writing !== null}
      action={<TextButton onClick={() => setWriting("new")}>{words.add}</TextButton>}
    >
      {error && <NotLoaded onRetry={() => void refetch()} />}
      {!error && !pins && <Skeletons lines={2} />}
      {writing === "new" && <PinForm old={null} present={null} onEnd={end} />}
      {pins?.length === 0 && writing === null && <p className={classes.none}>{words.empty}</p>}
      <ul className={classes.list}>
        {pins?.map((pin) =>
          pin.id === old?.id ? (
            <li key={pin.id}>
              <PinForm old={old} present={pin} onEnd={end} />
            </li>
          ) : (
            <PinItem key={pin.id} pin={pin} onEdit={() => setWriting(pin)} />
          ),
        )}
      </ul>
      {old !== null && present === null && <PinForm old={old} present={null} onEnd={end} />}
    </Section>
  );
}

function PinItem({ pin, onEdit }: { pin: Pin; onEdit: () => void }) {
  const unpin = useUnpin();
  const { deeds, pins: words } = texts.drawer;
  const meta = words.meta(words.categories[pin.category], texts.drawer.tokens(pin.token_count));
  const actions = [
    { icon: Pencil, label: deeds.edit, name: words.edit(pin.content), run: onEdit },
    { icon: Trash2, label: deeds.remove, name: words.unpin(pin.content), run: () => unpin(pin) },
  ];
  return (
    <li className={classes.item}>
      <div className={classes.line}>
        <span className={classes.words}>
          {pin.content} <span className={classes.quiet}>{meta}</span>
        </span>
        <LineActions label={texts.drawer.summary.actions(pin.content)} actions={actions} />
        {pin.message_id !== null && <LineSource messageId={pin.message_id} />}
      </div>
    </li>
  );
}
