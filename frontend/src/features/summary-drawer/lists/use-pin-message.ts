/** Pinning a message as it stands, or a text alone, with a way back. */

import { type Pin, useCreatePin, useDeletePin } from "@/api/pins";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { useDrawer } from "../drawer-context";
import { useOneAtATime } from "../use-single-flight";

export function usePinMessage(): (messageId: string) => void {
  const create = usePinned();
  return (messageId) => create({ message_id: messageId, category: "other" });
}

export function usePinText(): (content: string, category: Pin["category"]) => void {
  const create = usePinned();
  return (content, category) => create({ content, category });
}

function usePinned() {
  const { id } = useDrawer();
  const { mutateAsync: create } = useCreatePin(id);
  const { mutateAsync: remove } = useDeletePin(id);
  const once = useOneAtATime();
  return (body: Parameters<typeof create>[0]) => {
    const pinned = (pin: Pin) => {
      const run = () => void remove(pin).catch(toastProblem);
      toast(texts.drawer.pins.pinned(pin.token_count), {
        tone: "ok",
        action: { label: texts.common.undo, run },
      });
    };
    once(() => create(body).then(pinned, toastProblem));
  };
}

/** Take a pin away; undo makes it anew. */
export function useUnpin(): (pin: Pin) => void {
  const { id } = useDrawer();
  const { mutateAsync: create } = useCreatePin(id);
  const { mutateAsync: remove } = useDeletePin(id);
  const once = useOneAtATime();
  return (pin) => {
    const { message_id, content, category } = pin;
    const run = () => void create({ message_id, content, category }).catch(toastProblem);
    const said = () => toast(texts.drawer.pins.removed, { action: { label: texts.common.undo, run } });
    once(() => remove(pin).then(said, toastProblem));
  };
}
