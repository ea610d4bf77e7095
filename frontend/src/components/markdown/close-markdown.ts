/** Markdown that is still being written, closed where it is half open, so that it does not flicker. */

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const PART_OF_FENCE = /^ {0,3}[`~]{1,}$/;
/** A mark that only begins; what it will be is not known yet. */
const BEGINNING = /(\*{1,3}|_{1,3})$/;
/** A link, or an image, whose address is being written. */
const HALF_LINK = /!?\[((?:[^\]`]|`[^`]*`){0,300})\]\([^)`]*$/;
const BOLD = "**";

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
  const { code, outside } = spansIn(line);
  if (code === null) return withoutHalves(line);
  const begun = line.slice(code.from + code.mark.length) === "";
  return withBold(begun ? line.slice(0, code.from) : line + code.mark, outside);
}

function withoutHalves(line: string): string {
  const rest = line.replace(BEGINNING, "").replace(HALF_LINK, "$1");
  return withBold(rest, spansIn(rest).outside);
}

/** Bold text ends before the blanks: after them the marks would close nothing. */
function withBold(line: string, outside: string): string {
  const marks = outside.split(BOLD);
  const isOpen = marks.length % 2 === 0 && /^\S/.test(marks.at(-1) || line.slice(-1));
  const written = line.trimEnd();
  return isOpen ? written + BOLD + line.slice(written.length) : line;
}

interface Code {
  from: number;
  mark: string;
}

/** The code in which the line ends, if it does, and all that is no code. */
function spansIn(line: string): { code: Code | null; outside: string } {
  let [code, outside, end]: [Code | null, string, number] = [null, "", 0];
  for (const { 0: mark, index } of line.matchAll(/`+/g)) {
    if (code === null) {
      outside += line.slice(end, index);
      code = { from: index, mark };
    } else if (code.mark === mark) {
      code = null;
    }
    end = index + mark.length;
  }
  return { code, outside: code === null ? outside + line.slice(end) : outside };
}
