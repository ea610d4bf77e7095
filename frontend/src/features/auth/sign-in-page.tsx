import { useSignIn } from "@/api/session";
import { auth } from "@/texts/auth";
import { AuthForm } from "./auth-form";
import { AuthFrame } from "./auth-frame";

export default function SignInPage() {
  const { mutate, isPending, error } = useSignIn();
  const other = { question: auth.noAccount, label: auth.toSignUp, to: "/sign-up" };
  return (
    <AuthFrame title={auth.signInTitle} other={other}>
      <AuthForm
        isNew={false}
        label={auth.signIn}
        busy={isPending}
        error={error}
        onSubmit={({ email, password }) => mutate({ email, password })}
      />
    </AuthFrame>
  );
}
