import type { Pin } from "@/api/pins";
import { TextButton } from "@/components/ui/text-button";
import { drawerLists } from "@/texts/drawer-lists";
import { useUnpin } from "./use-pin-message";

export function Unpin({ pin }: { pin: Pin }) {
  const unpin = useUnpin();
  return (
    <TextButton aria-label={drawerLists.pins.unpin(pin.content)} onClick={() => unpin(pin)}>
      {drawerLists.pins.unpinShort}
    </TextButton>
  );
}
