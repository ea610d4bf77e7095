import { useSignUp } from "@/api/session";
import { auth } from "@/texts/auth";
import { AuthForm } from "./auth-form";
import { AuthFrame } from "./auth-frame";

export default function SignUpPage() {
  const { mutate, isPending, error } = useSignUp();
  const other = { question: auth.hasAccount, label: auth.toSignIn, to: "/sign-in" };
  return (
    <AuthFrame title={auth.signUpTitle} other={other}>
      <AuthForm
        isNew
        label={auth.signUp}
        busy={isPending}
        error={error}
        onSubmit={(credentials) => mutate(credentials)}
      />
    </AuthFrame>
  );
}
