/** Text with one highlighted match; positions count Unicode code points. */

interface Props {
  text: string;
  /** Start and length. */
  match: readonly number[];
}

export function HighlightedText({ text, match }: Props) {
  const [start = 0, length = 0] = match;
  const characters = Array.from(text);
  const part = (from: number, to?: number) => characters.slice(from, to).join("");
  return (
    <>
      {part(0, start)}
      {length > 0 && <mark>{part(start, start + length)}</mark>}
      {part(start + length)}
    </>
  );
}

/** Find `query` in `text`, ignoring case. */
export function matchIn(text: string, query: string): readonly number[] {
  const at = text.toLowerCase().indexOf(query.toLowerCase());
  if (query === "" || at < 0) return [0, 0];
  return [Array.from(text.slice(0, at)).length, Array.from(query).length];
}
