/** The first text, then of each other one the lines that none before it has; code stays as it is. */

const FENCE = "```";

export function united(texts: readonly string[]): string {
  const known = new Set<string>();
  const parts: string[] = [];
  for (const text of texts) {
    const part = withoutKnown(text, known);
    for (const line of text.split("\n")) if (line.trim() !== "") known.add(said(line));
    if (part !== "") parts.push(part);
  }
  return parts.join("\n\n");
}

function withoutKnown(text: string, known: ReadonlySet<string>): string {
  let inCode = false;
  const kept = text.split("\n").filter((line) => {
    const isFence = line.trimStart().startsWith(FENCE);
    const stays = inCode || isFence || line.trim() === "" || !known.has(said(line));
    if (isFence) inCode = !inCode;
    return stays;
  });
  return kept.join("\n").trim();
}

/** A line as what is the same but for its marker, its capitals and its full stop. */
function said(line: string): string {
  return line
    .trim()
    .replace(/^(?:[-*+•]|\d{1,3}[.)]|#{1,6})\s+/, "")
    .replace(/[*_`]/g, "")
    .toLowerCase()
    .replace(/\.+$/, "");
}
