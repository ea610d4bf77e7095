/** The items of one part of the pack, with tokens and actions. */

import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { type Context, layerOf, type PackLayer } from "@/api/context";
import { pinsQuery } from "@/api/pins";
import { policyQuery } from "@/api/policy";
import { userMemoryQuery } from "@/api/user-memory";
import type { BarPart } from "@/components/ui/context-bar";
import { PackTokens } from "../pack-tokens";
import { texts } from "@/texts";
import { drawerLists } from "@/texts/drawer-lists";
import { packing } from "@/texts/drawer-pack";
import { used } from "@/texts/used";
import { useDrawer } from "../drawer-context";
import { Unpin } from "../lists/unpin";
import { estimateOf, FIELDS, linesOf, plainText } from "../summary/lines";
import { PinLine } from "../summary/pin-line";
import { Item } from "./item";
import { RetrievedItems } from "./retrieved-items";
import { SegmentItem } from "./segment-item";
import classes from "./layer-items.module.css";
import { MessageItem } from "./message-item";

interface Props extends BarPart {
  pack: Context;
  onClose: () => void;
}

export function LayerItems({ layer, tokens, pack, onClose }: Props) {
  return (
    <>
      <p className={classes.head}>
        <span>{texts.drawer.usage.layers[layer]}</span>
        <span className={classes.total}>
          <PackTokens value={tokens} /> {texts.drawer.usage.countedUnit}
        </span>
      </p>
      <ul className={classes.items}>
        <Items layer={layer} pack={pack} onClose={onClose} />
      </ul>
    </>
  );
}

function Items({ layer, pack, onClose }: Omit<Props, "tokens">) {
  switch (layer) {
    case "system":
      return <SystemItem pack={pack} />;
    case "user":
      return <MemoryItems pack={pack} />;
    case "pins":
      return <PinItems pack={pack} />;
    case "topics":
      return profileItems(pack, "L2_topic", used.topic);
    case "entities":
      return profileItems(pack, "L3_entity", used.entity);
    case "summary":
      return <SummaryItems pack={pack} onClose={onClose} />;
    case "earlier":
      return <EarlierItems pack={pack} onClose={onClose} />;
    case "retrieved":
      return <RetrievedItems pack={pack} onClose={onClose} />;
    default:
      return <MessageItems layer={layer} pack={pack} onClose={onClose} />;
  }
}

function NoItems() {
  return <Item text={texts.drawer.usage.nothingIn} />;
}

function SystemItem({ pack }: { pack: Context }) {
  const { layerItems } = drawerLists;
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
  const items = [
    ...profileItems(pack, "L0_identity", used.identity),
    ...pack.user_memory.map(({ id, key, content, type }) => (
      <Item
        key={id}
        text={`${key}: ${content}`}
        meta={drawerLists.memory.types[type]}
        tokens={counted.get(id)}
      />
    )),
    ...profileItems(pack, "L1_global_prefs", used.preferences),
  ];
  return items.length === 0 ? <NoItems /> : items;
}

/** Memories of the tree that a layer has. */
function profileItems(pack: Context, layer: PackLayer["layer"], what: string) {
  const memories = layerOf(pack, layer)?.memories ?? [];
  return memories.map(({ id, uri, text, tokens }) => (
    <Item
      key={id}
      text={text}
      meta={what}
      tokens={tokens}
      source="estimated"
      actions={<Link to={`/memory/n/${id}`}>{uri}</Link>}
    />
  ));
}

function PinItems({ pack }: { pack: Context }) {
  const { id, canWrite } = useDrawer();
  const { data = [] } = useQuery(pinsQuery(id));
  if (pack.pinned_memory.length === 0) return <NoItems />;
  return pack.pinned_memory.map((packed) => {
    const pin = data.find((one) => one.id === packed.id);
    return (
      <Item
        key={packed.id}
        text={packed.content}
        meta={drawerLists.pins.categories[packed.category]}
        tokens={pin?.token_count}
        actions={canWrite && pin && <Unpin pin={pin} />}
      />
    );
  });
}

type InPack = Pick<Props, "pack" | "onClose">;

function SummaryItems({ pack, onClose }: InPack) {
  const { canWrite } = useDrawer();
  const sizes = useQuery(policyQuery).data?.limits.character_sizes;
  const lines = FIELDS.flatMap((field) => linesOf(pack.rolling_summary, field));
  const items = lines.map((line) => (
    <Item
      key={line.key}
      text={plainText(line)}
      meta={drawerLists.summary.one[line.field]}
      tokens={sizes && estimateOf(line, sizes)}
      source="estimated"
      actions={canWrite && <PinLine line={line} />}
    />
  ));
  return <SegmentList layer={layerOf(pack, "L4_conversation")} before={items} onClose={onClose} />;
}

function EarlierItems({ pack, onClose }: InPack) {
  const keyMessages = pack.metadata.coverage.key;
  const items = keyMessages === 0 ? [] : [<Item key="quoted" text={packing.segment.quoted(keyMessages)} />];
  return <SegmentList layer={layerOf(pack, "L6_message_history")} after={items} onClose={onClose} />;
}

interface SegmentListProps {
  layer: PackLayer | undefined;
  before?: ReactNode[];
  after?: ReactNode[];
  onClose: () => void;
}

/** The segment summaries of a layer, or its text if it has none. */
function SegmentList({ layer, before = [], after = [], onClose }: SegmentListProps) {
  const segments =
    layer?.segments.map((one) => <SegmentItem key={one.first_index} segment={one} onClose={onClose} />) ?? [];
  const items = [...before, ...segments, ...after];
  if (items.length > 0) return items;
  return layer === undefined || layer.text === "" ? <NoItems /> : <Item text={layer.text} />;
}

function MessageItems({ layer, pack, onClose }: Omit<Props, "tokens">) {
  const messages = layer === "current" ? [pack.current_message] : pack.recent_messages.toReversed();
  const visible = messages.filter((message) => message !== null);
  if (visible.length === 0) return <NoItems />;
  return visible.map((message) => <MessageItem key={message.id} message={message} onClose={onClose} />);
}
