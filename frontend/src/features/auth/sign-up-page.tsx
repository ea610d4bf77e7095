import { useSignUp } from "@/api/session";
import { texts } from "@/texts";
import { AuthForm } from "./auth-form";
import { AuthFrame } from "./auth-frame";

export default function SignUpPage() {
  const { mutate, isPending, error } = useSignUp();
  const other = { question: texts.auth.hasAccount, label: texts.auth.toSignIn, to: "/sign-in" };
  return (
    <AuthFrame title={texts.auth.signUpTitle} other={other}>
      <AuthForm
        isNew
        label={texts.auth.signUp}
        busy={isPending}
        error={error}
        onSubmit={(credentials) => mutate(credentials)}
      />
    </AuthFrame>
  );
}
