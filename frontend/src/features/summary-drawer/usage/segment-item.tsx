/** A stretch of messages of which a summary tells in the pack. */

import type { PackLayer } from "@/api/context";
import { TextButton } from "@/components/ui/text-button";
import { texts } from "@/texts";
import { useDrawer } from "../drawer-context";
import { Item } from "./item";

interface Props {
  told: PackLayer["told"][number];
  onDone: () => void;
}

export function ToldItem({ told, onDone }: Props) {
  const { onShow } = useDrawer();
  const { first_index: first, last_index: last, tokens } = told;
  const words = texts.drawer.told;
  const show = () => {
    onDone();
    onShow(first);
  };
  const action = (
    <TextButton aria-label={words.showName(first)} onClick={show}>
      {texts.drawer.layerItems.show}
    </TextButton>
  );
  return <Item text={words.range(first, last)} tokens={tokens} actions={action} />;
}
