/** Formatting of numbers, amounts and times. */

export { count, plural } from "@/texts/plural";

const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" });

const dollars = new Intl.NumberFormat("en", { style: "currency", currency: "USD" });
const smallDollars = new Intl.NumberFormat("en", {
  style: "currency",
  currency: "USD",
  maximumSignificantDigits: 2,
});
const DOLLAR_MICROS = 1_000_000;
/** Below this, two decimals are not precise enough. */
const SMALL_MICROS = 100_000;

export function money(micros: number): string {
  const isSmall = micros > 0 && micros < SMALL_MICROS;
  return (isSmall ? smallDollars : dollars).format(micros / DOLLAR_MICROS);
}

const utc = new Intl.DateTimeFormat("en", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** Format a UTC day such as `2026-11-21`. */
export function utcDay(isoDay: string): string {
  return utc.format(new Date(`${isoDay}T00:00:00Z`));
}

export function percent(value: number): string {
  return `${value.toFixed(1)}%`;
}

export function time(iso: string): string {
  return clock.format(new Date(iso));
}

export function date(iso: string): string {
  return day.format(new Date(iso));
}

/** Only the time if it is today, otherwise day and time. */
export function moment(iso: string, now = new Date()): string {
  const isToday = new Date(iso).toDateString() === now.toDateString();
  return isToday ? time(iso) : `${date(iso)}, ${time(iso)}`;
}

export function dateTime(iso: string): string {
  return `${date(iso)}, ${time(iso)}`;
}

/** A size of files, such as `3.2 MB`. */
export function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const isLarge = bytes >= 1024 ** 2;
  const value = bytes / (isLarge ? 1024 ** 2 : 1024);
  return `${value.toFixed(value < 10 && value % 1 !== 0 ? 1 : 0)} ${isLarge ? "MB" : "kB"}`;
}
