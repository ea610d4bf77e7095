/** Numbered titles of forks. */

/** The server's limit. */
const MAX_TITLE_LENGTH = 200;
const NUMBERED = / \((\d{1,3})\)$/;

/** The same title with the next free number: "Plans", "Plans (2)", "Plans (3)". */
export function forkTitle(title: string, existing: readonly string[]): string {
  if (title === "") return "";
  const [stem] = titleParts(title);
  const numbers = [title, ...existing]
    .filter((one) => titleParts(one)[0] === stem)
    .map((one) => Number(NUMBERED.exec(one)?.[1] ?? 1));
  const number = ` (${Math.max(...numbers) + 1})`;
  return stem.slice(0, MAX_TITLE_LENGTH - number.length) + number;
}

/** The title without its number, and the number in its parentheses, if it has one. */
export function titleParts(title: string): [stem: string, number: string] {
  const number = NUMBERED.exec(title)?.[0] ?? "";
  return [title.slice(0, title.length - number.length), number.trim()];
}
