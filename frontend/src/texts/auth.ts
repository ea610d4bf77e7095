import { plural } from "./plural";

export const auth = {
  signInTitle: "Sign in to Continuity",
  signUpTitle: "Create an account",
  claim: "Chat with a memory you can read and correct.",
  name: "Name",
  nameHint: "Shown next to your messages. Optional.",
  email: "Email",
  password: "Password",
  passwordHint: "At least 10 characters.",
  showPassword: "Show password",
  signIn: "Sign in",
  signUp: "Create account",
  noAccount: "No account yet?",
  toSignUp: "Create one",
  hasAccount: "Already have an account?",
  toSignIn: "Sign in",
  wrong: "That email and password don't match.",
  taken: "There's already an account with this email. Sign in instead.",
  wait: (seconds: number | null) =>
    seconds === null
      ? "Too many attempts. Wait a minute, then try again."
      : `Too many attempts. Try again in ${plural(seconds, "second")}.`,
  unreachable: "Can't reach the server. Your text is safe here. Try again in a moment.",
  emailMissing: "Enter your email address.",
  passwordMissing: "Enter your password.",
  endedTitle: "Your session ended",
  ended: "Your draft is saved on this device. Sign in to continue.",
};
