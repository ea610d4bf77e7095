/** A piece of text in which a part is marked; the part is counted in Unicode characters. */

interface Props {
  text: string;
  /** Where it begins and how long it is. */
  match: readonly number[];
}

export function Marked({ text, match }: Props) {
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

/** Where `query` stands in `text`, in either case. */
export function matchIn(text: string, query: string): readonly number[] {
  const at = text.toLowerCase().indexOf(query.toLowerCase());
  if (query === "" || at < 0) return [0, 0];
  return [Array.from(text.slice(0, at)).length, Array.from(query).length];
}
