/** Markdown that is still being written, closed where it is half open, so that it does not flicker. */

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const PART_OF_FENCE = /^ {0,3}[`~]{1,}$/;

export function closed(text: string): string {
  const cut = text.lastIndexOf("\n") + 1;
  const [before, line] = [text.slice(0, cut), text.slice(cut)];
  if (PART_OF_FENCE.test(line)) return before;
  return openFence(before) === null ? before + closedLine(line) : text;
}

/** The marks of the code block in which the text ends; null outside of one. */
function openFence(text: string): string | null {
  let open: string | null = null;
  for (const line of text.split("\n")) {
    const marks = FENCE.exec(line)?.[1];
    if (marks === undefined) continue;
    if (open === null) open = marks;
    else if (marks.startsWith(open) && line.trim() === marks) open = null;
  }
  return open;
}

function closedLine(line: string): string {
  const rest = line.replace(/\[[^\]]*(\]\([^)]*)?$/, "").replace(/(\*{1,3}|_{1,3}|`+)$/, "");
  return rest + (odd(rest, "`") ? "`" : odd(rest, "**") ? "**" : "");
}

function odd(line: string, mark: string): boolean {
  return (line.split(mark).length - 1) % 2 === 1;
}
