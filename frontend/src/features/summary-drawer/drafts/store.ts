/** What is being written in the drawer, by its place. It outlives the drawer and the page, as drafts of messages do. */

import { createNotifier } from "@/lib/notifier";
import { keep, kept } from "@/lib/local-storage";

const known = new Map<string, unknown>();
const { watch, notify } = createNotifier();

export function writtenAt(place: string): unknown {
  if (!known.has(place)) known.set(place, kept<unknown>(nameOf(place), null));
  return known.get(place);
}

/** What is not kept is there until the page is closed. */
export function writeAt(place: string, value: unknown, isKept: boolean): void {
  known.set(place, value);
  keep(nameOf(place), isKept ? value : null);
  notify();
}

export { watch as watchWriting };

/** What the browser keeps counts again. */
export function rereadWriting(): void {
  known.clear();
}

function nameOf(place: string): string {
  return `writing:${place}`;
}
