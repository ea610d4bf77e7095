import { type Me, useCreateWorkspace } from "@/api/session";
import { toastProblem } from "@/components/feedback/toast";
import { ErrorState } from "@/components/feedback/error-state";
import { texts } from "@/texts";

/** The page for a user who was removed from their only workspace. */
export function NoWorkspacePage({ me }: { me: Me }) {
  const { mutateAsync, isPending } = useCreateWorkspace();
  const create = () => {
    if (!isPending) void mutateAsync(texts.common.workspaceOf(me.user.name)).catch(toastProblem);
  };
  return (
    <ErrorState
      title={texts.common.noWorkspaceTitle}
      detail={texts.common.noWorkspaceDetail}
      action={{ label: texts.common.createWorkspace, run: create }}
    />
  );
}
