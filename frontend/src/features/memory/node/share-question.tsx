import { type MemoryNode, useMemoryAction } from "@/api/memories";
import { Confirm } from "@/components/feedback/confirm";
import { useShell } from "@/components/hooks/shell-context";
import { toast, toastProblem } from "@/components/feedback/toast";
import { memory } from "@/texts/memory";

const words = memory.share;

/** Confirm sharing, which cannot be taken back. */
export function ShareQuestion({ node, onClose }: { node: MemoryNode; onClose: () => void }) {
  const { me } = useShell();
  const { mutateAsync, isPending } = useMemoryAction(node.id);
  const onShared = () => {
    toast(words.shared, { tone: "ok" });
    onClose();
  };
  return (
    <Confirm
      title={words.title(me.workspace?.name ?? "")}
      detail={words.detail}
      actionLabel={words.deed}
      isPending={isPending}
      onConfirm={() => void mutateAsync("share").then(onShared, toastProblem)}
      onCancel={onClose}
    />
  );
}
