/** How the trust of a memory comes about: who said it, what found it, and the result. */

import { ArrowRight, Cpu, type LucideIcon, ShieldCheck, ShieldQuestionMark, UserRound } from "lucide-react";
import type { InboxItem } from "@/api/inbox";
import { inbox } from "@/texts/inbox";
import classes from "./inbox.module.css";

type Step = InboxItem["trust_path"][number];

const TRUSTED = new Set(["direct_user", "model_inference"]);

export function TrustPath({ item }: { item: InboxItem }) {
  const reason = inbox.reasons[item.reason];
  return (
    <section className={classes.part}>
      <h3>{inbox.trust}</h3>
      <ol className={classes.trust}>
        {item.trust_path.map((step, place) => {
          const [Icon, text] = shown(step);
          return (
            <li key={step.step}>
              {place > 0 && <ArrowRight size={16} strokeWidth={1.75} aria-hidden="true" />}
              <span className={classes.step} data-last={step.step === "trust"}>
                <Icon size={14} strokeWidth={1.75} aria-hidden="true" /> {text}
              </span>
            </li>
          );
        })}
      </ol>
      <p className={classes.hint}>
        {reason === undefined ? inbox.trustNote : `${reason} ${inbox.trustNote}`}
      </p>
    </section>
  );
}

function shown({ step, value, name }: Step): [LucideIcon, string] {
  if (step === "speaker") return [UserRound, name === "" ? (inbox.speakers[value] ?? value) : name];
  if (step === "extractor") return [Cpu, inbox.extracted(value)];
  if (step === "source") return [UserRound, inbox.steps[value] ?? value];
  return [TRUSTED.has(value) ? ShieldCheck : ShieldQuestionMark, inbox.trusts[value] ?? value];
}
