/** Close the open ends of Markdown that is still streaming, so that it does not flicker. */

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const PART_OF_FENCE = /^ {0,3}[`~]{1,}$/;
/** A mark at the end of the line, whose meaning is not known yet. */
const UNFINISHED_MARK = /(\*{1,3}|_{1,3})$/;
/** A link or an image with an unfinished address. */
const UNFINISHED_LINK = /!?\[((?:[^\]`]|`[^`]*`){0,300})\]\([^)`]*$/;
const BOLD = "**";

export function closeMarkdown(text: string): string {
  const cut = text.lastIndexOf("\n") + 1;
  const [before, line] = [text.slice(0, cut), text.slice(cut)];
  if (PART_OF_FENCE.test(line)) return before;
  return openFence(before) === null ? before + closeLine(line) : text;
}

/** The marks of the code block in which the text ends, or null. */
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

function closeLine(line: string): string {
  const { code, outside } = spansIn(line);
  if (code === null) return dropUnfinished(line);
  const isEmpty = line.slice(code.from + code.mark.length) === "";
  return closeBold(isEmpty ? line.slice(0, code.from) : line + code.mark, outside);
}

function dropUnfinished(line: string): string {
  const rest = line.replace(UNFINISHED_MARK, "").replace(UNFINISHED_LINK, "$1");
  return closeBold(rest, spansIn(rest).outside);
}

/** Close bold text before trailing spaces; after them the marks would have no effect. */
function closeBold(line: string, outside: string): string {
  const marks = outside.split(BOLD);
  const isOpen = marks.length % 2 === 0 && /^\S/.test(marks.at(-1) || line.slice(-1));
  const trimmed = line.trimEnd();
  return isOpen ? trimmed + BOLD + line.slice(trimmed.length) : line;
}

interface CodeSpan {
  from: number;
  mark: string;
}

/** The unclosed code span at the end of the line, if any, and all text outside of code. */
function spansIn(line: string): { code: CodeSpan | null; outside: string } {
  let [code, outside, end]: [CodeSpan | null, string, number] = [null, "", 0];
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
