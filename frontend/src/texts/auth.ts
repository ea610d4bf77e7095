export const auth = {
  signInTitle: "Sign in to Continuity",
  signUpTitle: "Create an account",
  claim: "Chat with a memory that you can read and correct.",
  name: "Name",
  nameHint: "Shown beside your messages. You may leave it out.",
  email: "Email",
  password: "Password",
  passwordHint: "At least 10 characters.",
  showPassword: "Show the password",
  signIn: "Sign in",
  signUp: "Create account",
  noAccount: "No account yet?",
  toSignUp: "Create one",
  hasAccount: "Already have an account?",
  toSignIn: "Sign in",
  wrong: "The email address or the password is not right.",
  taken: "This email address has an account already. Sign in instead.",
  wait: (seconds: number | null) =>
    seconds === null
      ? "Too many attempts. Wait a minute, then try again."
      : `Too many attempts. Try again in ${seconds} s.`,
  unreachable: "The server does not answer. What you wrote stays here; try again in a moment.",
  emailMissing: "Enter your email address.",
  passwordMissing: "Enter your password.",
  endedTitle: "Your session ended",
  ended: "Your draft is kept on this device and comes back after signing in.",
};
