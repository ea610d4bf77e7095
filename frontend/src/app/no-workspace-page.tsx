import { type Me, useCreateWorkspace } from "@/api/session";
import { toastProblem } from "@/components/feedback/toast";
import { Trouble } from "@/components/feedback/error-state";
import { texts } from "@/texts";

/** Somebody was taken out of the only workspace they were in. */
export function NoWorkspacePage({ me }: { me: Me }) {
  const { mutateAsync, isPending } = useCreateWorkspace();
  const create = () => {
    if (!isPending) void mutateAsync(texts.common.workspaceOf(me.user.name)).catch(toastProblem);
  };
  return (
    <Trouble
      title={texts.common.noWorkspaceTitle}
      detail={texts.common.noWorkspaceDetail}
      action={{ label: texts.common.createWorkspace, run: create }}
    />
  );
}
