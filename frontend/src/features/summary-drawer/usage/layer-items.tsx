/** What one part of the pack is made of, each with its tokens and what can be done about it. */

import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { type Context, layerOf, type PackLayer } from "@/api/context";
import { pinsQuery } from "@/api/pins";
import { userMemoryQuery } from "@/api/user-memory";
import type { BarPart } from "@/components/ui/context-bar";
import { Num } from "@/components/ui/number-with-source";
import { texts } from "@/texts";
import { useDrawer } from "../drawer-context";
import { Unpin } from "../lists/unpin";
import { estimateOf, FIELDS, linesOf, plainText } from "../summary/lines";
import { PinLine } from "../summary/pin-line";
import { Item } from "./item";
import { SegmentItem } from "./segment-item";
import classes from "./layer-items.module.css";
import { MessageItem } from "./message-item";

interface Props extends BarPart {
  pack: Context;
  onDone: () => void;
}

export function LayerItems({ layer, tokens, pack, onDone }: Props) {
  return (
    <>
      <p className={classes.head}>
        <span>{texts.drawer.usage.layers[layer]}</span>
        <span className={classes.total}>
          <Num value={tokens} source="counted" /> {texts.drawer.usage.countedUnit}
        </span>
      </p>
      <ul className={classes.items}>
        <Items layer={layer} pack={pack} onDone={onDone} />
      </ul>
    </>
  );
}

function Items({ layer, pack, onDone }: Omit<Props, "tokens">) {
  switch (layer) {
    case "system":
      return <SystemItem pack={pack} />;
    case "user":
      return <MemoryItems pack={pack} />;
    case "pins":
      return <PinItems pack={pack} />;
    case "summary":
      return <SummaryItems pack={pack} onDone={onDone} />;
    case "earlier":
      return <EarlierItems pack={pack} onDone={onDone} />;
    case "retrieved":
      return <LookedUpItems pack={pack} />;
    default:
      return <MessageItems layer={layer} pack={pack} onDone={onDone} />;
  }
}

function Nothing() {
  return <Item text={texts.drawer.usage.nothingIn} />;
}

function SystemItem({ pack }: { pack: Context }) {
  const { layerItems } = texts.drawer;
  const prompt = pack.system_prompt;
  return prompt === "" ? (
    <Item text={layerItems.noSystem} />
  ) : (
    <Item text={prompt} tokens={pack.metadata.tokens.system} />
  );
}

function MemoryItems({ pack }: { pack: Context }) {
  const { data = [] } = useQuery(userMemoryQuery);
  const counted = new Map(data.map((memory) => [memory.id, memory.token_count]));
  if (pack.user_memory.length === 0) return <Nothing />;
  return pack.user_memory.map(({ id, key, content, type }) => (
    <Item
      key={id}
      text={`${key}: ${content}`}
      meta={texts.drawer.memory.types[type]}
      tokens={counted.get(id)}
    />
  ));
}

function PinItems({ pack }: { pack: Context }) {
  const { id, canWrite } = useDrawer();
  const { data = [] } = useQuery(pinsQuery(id));
  if (pack.pinned_memory.length === 0) return <Nothing />;
  return pack.pinned_memory.map((shown) => {
    const pin = data.find((one) => one.id === shown.id);
    return (
      <Item
        key={shown.id}
        text={shown.content}
        meta={texts.drawer.pins.categories[shown.category]}
        tokens={pin?.token_count}
        actions={canWrite && pin && <Unpin pin={pin} />}
      />
    );
  });
}

type InPack = Pick<Props, "pack" | "onDone">;

function SummaryItems({ pack, onDone }: InPack) {
  const { canWrite } = useDrawer();
  const lines = FIELDS.flatMap((field) => linesOf(pack.rolling_summary, field));
  const items = lines.map((line) => (
    <Item
      key={line.key}
      text={plainText(line)}
      meta={texts.drawer.summary.one[line.field]}
      tokens={estimateOf(line)}
      source="estimated"
      actions={canWrite && <PinLine line={line} />}
    />
  ));
  return <SegmentList layer={layerOf(pack, "L4_conversation")} before={items} onDone={onDone} />;
}

function EarlierItems({ pack, onDone }: InPack) {
  const quoted = pack.metadata.coverage.key;
  const items = quoted === 0 ? [] : [<Item key="quoted" text={texts.drawer.segment.quoted(quoted)} />];
  return <SegmentList layer={layerOf(pack, "L6_message_history")} after={items} onDone={onDone} />;
}

function LookedUpItems({ pack }: { pack: Context }) {
  if (pack.retrieved.length === 0) return <Nothing />;
  return pack.retrieved.map(({ id, origin, text }) => <Item key={id} text={text} meta={origin} />);
}

interface SegmentListProps {
  layer: PackLayer | undefined;
  before?: ReactNode[];
  after?: ReactNode[];
  onDone: () => void;
}

/** The segments that a layer summarizes, or its text where it has none. */
function SegmentList({ layer, before = [], after = [], onDone }: SegmentListProps) {
  const segments = layer?.segments.map((one) => <SegmentItem key={one.first_index} segment={one} onDone={onDone} />) ?? [];
  const items = [...before, ...segments, ...after];
  if (items.length > 0) return items;
  return layer === undefined || layer.text === "" ? <Nothing /> : <Item text={layer.text} />;
}

function MessageItems({ layer, pack, onDone }: Omit<Props, "tokens">) {
  const messages = layer === "current" ? [pack.current_message] : pack.recent_messages.toReversed();
  const shown = messages.filter((message) => message !== null);
  if (shown.length === 0) return <Nothing />;
  return shown.map((message) => <MessageItem key={message.id} message={message} onDone={onDone} />);
}
