/** Pinning a message as it stands, or a text alone, with a way back. */

import { type Pin, useCreatePin, useDeletePin } from "@/api/pins";
import { toast, toastProblem } from "@/components/toast";
import { texts } from "@/texts";
import { useDrawer } from "../drawer-context";

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
  return (body: Parameters<typeof create>[0]) => {
    void create(body).then((pin) => {
      const run = () => void remove(pin.id).catch(toastProblem);
      toast(texts.drawer.pins.pinned(pin.token_count), {
        tone: "ok",
        action: { label: texts.common.undo, run },
      });
    }, toastProblem);
  };
}

/** Take a pin away; undo makes it anew. */
export function useUnpin(): (pin: Pin) => void {
  const { id } = useDrawer();
  const { mutateAsync: create } = useCreatePin(id);
  const { mutateAsync: remove } = useDeletePin(id);
  return (pin) => {
    const { message_id, content, category } = pin;
    const run = () => void create({ message_id, content, category }).catch(toastProblem);
    const said = () => toast(texts.drawer.pins.removed, { action: { label: texts.common.undo, run } });
    void remove(pin.id).then(said, toastProblem);
  };
}
