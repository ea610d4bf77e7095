/** Tags as they are typed, with commas between them. */

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

/** The day of a time, as a field for dates takes it. */
export function dayOf(iso: string): string {
  return iso.slice(0, 10);
}

/** Noon, so that it stays that day in every zone. */
export function timeOf(day: string): string {
  return `${day}T12:00:00Z`;
}
