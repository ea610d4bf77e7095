import { useSignIn } from "@/api/session";
import { texts } from "@/texts";
import { AuthForm } from "./auth-form";
import { AuthFrame } from "./auth-frame";

export default function SignInPage() {
  const { mutate, isPending, error } = useSignIn();
  const other = { question: texts.auth.noAccount, label: texts.auth.toSignUp, to: "/sign-up" };
  return (
    <AuthFrame title={texts.auth.signInTitle} other={other}>
      <AuthForm
        isNew={false}
        label={texts.auth.signIn}
        busy={isPending}
        error={error}
        onSubmit={({ email, password }) => mutate({ email, password })}
      />
    </AuthFrame>
  );
}
