/** The server's estimate of a message's tokens, from the rates that it serves. */

interface Rates {
  characters_per_token: number;
  message_overhead_tokens: number;
}

/** Count code points, as the server does. */
export function characters(text: string): number {
  return Array.from(text).length;
}

export function estimatedTokens(text: string, rates: Rates): number {
  return Math.ceil(characters(text) / rates.characters_per_token) + rates.message_overhead_tokens;
}
