/** Mod+Shift+K compacts, anywhere in the conversation. */

import { useHotkeys } from "@mantine/hooks";
import { useCompact } from "@/api/compactions";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { useCanWrite } from "./use-may-write";

export function useCompactShortcut(id: string, enabled: boolean): void {
  const mayWrite = useCanWrite(id);
  const { mutateAsync, isPending } = useCompact(id);
  const compact = () => {
    if (!isPending) void mutateAsync("light").then(onRequested, toastProblem);
  };
  useHotkeys(enabled && mayWrite ? [["mod+shift+K", compact]] : [], []);
}

function onRequested(): void {
  toast(texts.drawer.compact.asked);
}
