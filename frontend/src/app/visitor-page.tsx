/** The pages outside of the shell, which load together: most visits need none of them. */

import JoinPage from "@/features/auth/join-page";
import PairPage from "@/features/auth/pair-page";
import SignInPage from "@/features/auth/sign-in-page";
import SignUpPage from "@/features/auth/sign-up-page";

const PAGES = { signIn: SignInPage, signUp: SignUpPage, join: JoinPage, pair: PairPage };

export default function VisitorPage({ name }: { name: keyof typeof PAGES }) {
  const Page = PAGES[name];
  return <Page />;
}
