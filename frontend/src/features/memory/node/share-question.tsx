import { type MemoryNode, useMemoryDeed } from "@/api/memories";
import { Confirm } from "@/components/feedback/confirm";
import { useShell } from "@/components/hooks/shell-context";
import { toast, toastProblem } from "@/components/feedback/toast";
import { memory } from "@/texts/memory";

const words = memory.share;

/** What others have seen cannot be unseen: so it is asked. */
export function ShareQuestion({ node, onLeave }: { node: MemoryNode; onLeave: () => void }) {
  const { me } = useShell();
  const { mutateAsync, isPending } = useMemoryDeed(node.id);
  const shared = () => {
    toast(words.shared, { tone: "ok" });
    onLeave();
  };
  return (
    <Confirm
      title={words.title(me.workspace?.name ?? "")}
      detail={words.detail}
      deed={words.deed}
      isPending={isPending}
      onDo={() => void mutateAsync("share").then(shared, toastProblem)}
      onLeave={onLeave}
    />
  );
}
