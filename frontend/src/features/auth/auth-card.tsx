/** A card in the middle of a page without the conversation list. */

import type { ReactNode } from "react";
import { ColorSchemeSelect } from "@/components/ui/color-scheme-select";
import { Logo } from "@/components/ui/logo";
import classes from "./auth-frame.module.css";

export function AuthCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={classes.page}>
      <main className={classes.card}>
        <Logo size={40} />
        <h1>{title}</h1>
        {children}
      </main>
      <footer>
        <ColorSchemeSelect />
      </footer>
    </div>
  );
}
