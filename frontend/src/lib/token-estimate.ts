/** The server's estimate of a text's tokens, from the sizes of characters that it serves. */

/** Ranges of code points by their first one, with the size of a character in hundredths of a token. */
export type CharacterSizes = readonly (readonly number[])[];

interface Rates {
  character_sizes: CharacterSizes;
  message_overhead_tokens: number;
}

/** Count code points, as the server does. */
export function characters(text: string): number {
  return Array.from(text).length;
}

export function estimatedTokens(text: string, rates: Rates): number {
  return textTokens(text, rates.character_sizes) + rates.message_overhead_tokens;
}

/** Without the overhead of a message. */
export function textTokens(text: string, sizes: CharacterSizes): number {
  let total = 0;
  for (const character of text) total += sizeOf(character.codePointAt(0) ?? 0, sizes);
  return Math.ceil(total / 100);
}

function sizeOf(point: number, sizes: CharacterSizes): number {
  let low = 0;
  let high = sizes.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((sizes[middle]?.[0] ?? 0) <= point) low = middle;
    else high = middle;
  }
  return sizes[low]?.[1] ?? 0;
}
