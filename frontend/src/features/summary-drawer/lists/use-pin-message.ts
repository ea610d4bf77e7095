/** Pin a message or a text, with an undo. */

import { type Pin, useCreatePin, useDeletePin } from "@/api/pins";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { drawerLists } from "@/texts/drawer-lists";
import { useDrawer } from "../drawer-context";
import { useSingleFlight } from "../use-single-flight";

export function usePinMessage(): (messageId: string) => void {
  const create = useCreatePinWithUndo();
  return (messageId) => create({ message_id: messageId, category: "other" });
}

export function usePinText(): (content: string, category: Pin["category"]) => void {
  const create = useCreatePinWithUndo();
  return (content, category) => create({ content, category });
}

function useCreatePinWithUndo() {
  const { id } = useDrawer();
  const { mutateAsync: create } = useCreatePin(id);
  const { mutateAsync: remove } = useDeletePin(id);
  const singleFlight = useSingleFlight();
  return (body: Parameters<typeof create>[0]) => {
    const pinned = (pin: Pin) => {
      const run = () => void remove(pin).catch(toastProblem);
      toast(drawerLists.pins.pinned(pin.token_count), {
        tone: "ok",
        action: { label: texts.common.undo, run },
      });
    };
    singleFlight(() => create(body).then(pinned, toastProblem));
  };
}

/** Remove a pin; undo creates it again. */
export function useUnpin(): (pin: Pin) => void {
  const { id } = useDrawer();
  const { mutateAsync: create } = useCreatePin(id);
  const { mutateAsync: remove } = useDeletePin(id);
  const singleFlight = useSingleFlight();
  return (pin) => {
    const { message_id, content, category } = pin;
    const run = () => void create({ message_id, content, category }).catch(toastProblem);
    const confirmation = () => toast(drawerLists.pins.removed, { action: { label: texts.common.undo, run } });
    singleFlight(() => remove(pin).then(confirmation, toastProblem));
  };
}
