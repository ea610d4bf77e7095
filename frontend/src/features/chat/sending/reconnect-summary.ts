/** What came right after the connection had been away: told once, when all of it is done. */

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

export function tellTally(): void {
  if (sent + fetched > 0) toast(texts.chat.backOnline(sent, fetched), { tone: "ok" });
  sent = 0;
  fetched = 0;
}
