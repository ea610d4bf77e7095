import { useNavigate } from "react-router";
import { ErrorState } from "@/components/feedback/error-state";
import { texts } from "@/texts";

export function NotFoundPage() {
  const navigate = useNavigate();
  const action = { label: texts.common.toChats, run: () => void navigate("/") };
  return (
    <ErrorState title={texts.common.notFoundTitle} detail={texts.common.notFoundDetail} action={action} />
  );
}
