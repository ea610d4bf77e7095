/** Shorten a text at a line or a word. */

const MAX_CHARACTERS = 400;
const MAX_LINES = 6;

/** The beginning of a long text, with an ellipsis; a short one as it is. */
export function shorten(text: string): string {
  const lines = text.split("\n").slice(0, MAX_LINES).join("\n").trimEnd();
  const begin =
    lines.length > MAX_CHARACTERS ? lines.slice(0, MAX_CHARACTERS).replace(/\s+\S*$/u, "") : lines;
  return begin === text.trimEnd() ? text : `${begin} …`;
}
