/** Count what arrived after a reconnect and show it in one toast at the end. */

import { toast } from "@/components/feedback/toast";
import { texts } from "@/texts";

let sent = 0;
let fetched = 0;

export function countSent(): void {
  sent += 1;
}

export function countFetched(): void {
  fetched += 1;
}

export function toastReconnectSummary(): void {
  if (sent + fetched > 0) toast(texts.chat.backOnline(sent, fetched), { tone: "ok" });
  sent = 0;
  fetched = 0;
}
