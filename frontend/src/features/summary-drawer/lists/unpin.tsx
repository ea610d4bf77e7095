import type { Pin } from "@/api/pins";
import { TextButton } from "@/components/ui/text-button";
import { texts } from "@/texts";
import { useUnpin } from "./use-pin-message";

export function Unpin({ pin }: { pin: Pin }) {
  const unpin = useUnpin();
  return (
    <TextButton aria-label={texts.drawer.pins.unpin(pin.content)} onClick={() => unpin(pin)}>
      {texts.drawer.pins.unpinShort}
    </TextButton>
  );
}
