/** A message in the pack: pin it, exclude it after a preview, or show it in the thread. */

import { useState } from "react";
import type { MessageInPack } from "@/api/context";
import { TextButton } from "@/components/ui/text-button";
import { texts } from "@/texts";
import { drawerLists } from "@/texts/drawer-lists";
import { packing } from "@/texts/drawer-pack";
import { useDrawer } from "../drawer-context";
import { ExclusionChange } from "../lists/exclusion-change";
import { usePinMessage } from "../lists/use-pin-message";
import { textOf } from "../pack/message-parts";
import { Item } from "./item";

export function MessageItem({ message, onClose }: { message: MessageInPack; onClose: () => void }) {
  const { showMessage, canWrite } = useDrawer();
  const [excluding, setExcluding] = useState(false);
  const pin = usePinMessage();
  const { layerItems, exclusions } = drawerLists;
  const { index } = message;
  const meta = [
    packing.pack.roles[message.role],
    texts.chat.number(index),
    ...(message.is_excerpt ? [layerItems.excerpt] : []),
  ];
  const show = () => {
    onClose();
    showMessage(index);
  };
  const actions = (
    <>
      <TextButton aria-label={exclusions.showName(index)} onClick={show}>
        {layerItems.show}
      </TextButton>
      {canWrite && (
        <TextButton aria-label={exclusions.pinName(index)} onClick={() => pin(message.id)}>
          {layerItems.pin}
        </TextButton>
      )}
      {canWrite && (
        <TextButton aria-label={exclusions.excludeName(index)} onClick={() => setExcluding(true)}>
          {exclusions.exclude}
        </TextButton>
      )}
    </>
  );
  return (
    <Item text={textOf(message)} meta={meta.join(" · ")} tokens={message.tokens} actions={actions}>
      {excluding && <ExclusionChange message={message} excluded onClose={() => setExcluding(false)} />}
    </Item>
  );
}
