/** The server's estimate of a message's tokens, by the numbers that it serves. */

interface Rates {
  characters_per_token: number;
  message_overhead_tokens: number;
}

/** Code points, as the server counts characters. */
export function characters(text: string): number {
  return Array.from(text).length;
}

export function estimatedTokens(text: string, rates: Rates): number {
  return Math.ceil(characters(text) / rates.characters_per_token) + rates.message_overhead_tokens;
}
