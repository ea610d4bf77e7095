/** A span of messages that is represented by a segment summary. */

import type { PackLayer } from "@/api/context";
import { TextButton } from "@/components/ui/text-button";
import { drawerLists } from "@/texts/drawer-lists";
import { packing } from "@/texts/drawer-pack";
import { useDrawer } from "../drawer-context";
import { Item } from "./item";

interface Props {
  segment: PackLayer["segments"][number];
  onClose: () => void;
}

export function SegmentItem({ segment, onClose }: Props) {
  const { showMessage } = useDrawer();
  const { first_index: first, last_index: last, tokens } = segment;
  const words = packing.segment;
  const show = () => {
    onClose();
    showMessage(first);
  };
  const action = (
    <TextButton aria-label={words.showName(first)} onClick={show}>
      {drawerLists.layerItems.show}
    </TextButton>
  );
  return <Item text={words.range(first, last)} tokens={tokens} actions={action} />;
}
