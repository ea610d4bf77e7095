/** Texts for the server's reason codes; a code without a text is a type error. */

import type { Schemas } from "@/api/client";
import { texts } from "@/texts";

export function healthText({ reason, not_due_reason: notDue }: Schemas["ConversationHealth"]): string {
  const text = texts.drawer.health.reasons[reason.code](reason.params);
  return notDue === null ? text : `${text}, ${notDueText(notDue)}`;
}

export function notDueText({ code, params }: Schemas["NotDue"]): string {
  return texts.drawer.notDue.reasons[code](params);
}

export function warningText({ code, params }: Schemas["PackWarning"]): string {
  return texts.drawer.warnings[code](params);
}

/** The parts whose change started a cache epoch; empty for the first one. */
export function epochText(reasons: readonly Schemas["EpochReasonEnum"][]): string {
  const { changed, events, parts } = texts.drawer.epochReasons;
  const [first] = reasons;
  if (first === undefined) return "";
  if (first === "window_full" || first === "unreadable") return events[first];
  return changed(reasons.flatMap((reason) => (reason in parts ? [parts[reason as keyof typeof parts]] : [])));
}
