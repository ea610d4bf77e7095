/** Tags as comma-separated text, and days of timestamps. */

export function tagsIn(text: string): string[] {
  return [
    ...new Set(
      text
        .split(",")
        .map((tag) => tag.trim())
        .filter(Boolean),
    ),
  ];
}

export function tagText(tags: readonly string[]): string {
  return tags.join(", ");
}

/** The day of a timestamp in the format of date inputs. */
export function dayOf(iso: string): string {
  return iso.slice(0, 10);
}

/** Noon, so that the day is the same in every time zone. */
export function timeOf(day: string): string {
  return `${day}T12:00:00Z`;
}
