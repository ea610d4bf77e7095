import { useNavigate } from "react-router";
import { useSignOut } from "@/api/session";
import { toastProblem } from "./toast";

/** Sign out, and show the door; where one was is not remembered for the next person. */
export function useLeave(): () => void {
  const signOut = useSignOut();
  const navigate = useNavigate();
  return () => void signOut.mutateAsync().then(() => navigate("/sign-in"), toastProblem);
}
