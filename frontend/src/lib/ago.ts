/** How long ago something happened, in words. */

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** A clock that differs from the server's may place an event in the future: that is "just now". */
export function ago(iso: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(iso)) / 1000));
  if (seconds < 10) return "just now";
  if (seconds < MINUTE_S) return relative.format(-seconds, "second");
  if (seconds < HOUR_S) return relative.format(-Math.floor(seconds / MINUTE_S), "minute");
  if (seconds < DAY_S) return relative.format(-Math.floor(seconds / HOUR_S), "hour");
  return relative.format(-Math.floor(seconds / DAY_S), "day");
}
