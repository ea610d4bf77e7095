/** Mod+Shift+K compacts, wherever one is in the conversation. */

import { useHotkeys } from "@mantine/hooks";
import { useCompact } from "@/api/compactions";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { useMayWrite } from "./use-may-write";

export function useCompactKey(id: string, enabled: boolean): void {
  const mayWrite = useMayWrite(id);
  const { mutateAsync, isPending } = useCompact(id);
  const compact = () => {
    if (!isPending) void mutateAsync("light").then(asked, toastProblem);
  };
  useHotkeys(enabled && mayWrite ? [["mod+shift+K", compact]] : [], []);
}

function asked(): void {
  toast(texts.drawer.compact.asked);
}
