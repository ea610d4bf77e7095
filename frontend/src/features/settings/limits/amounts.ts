/** Parse and format the amounts of limits; empty means no limit. */

const MAX_TOKENS = 1_000_000_000_000;
const CENTS = 100;

/** Zero if empty, `null` if it is not an integer. */
export function parseTokens(text: string): number | null {
  const plain = text.replace(/[\s,_]/g, "");
  if (plain === "") return 0;
  return /^\d+$/.test(plain) && Number(plain) <= MAX_TOKENS ? Number(plain) : null;
}

/** In cents; zero if empty, `null` if it is not an amount of dollars. */
export function parseCents(text: string): number | null {
  const plain = text.replace(/[\s,$]/g, "");
  if (plain === "") return 0;
  if (!/^\d+(\.\d{1,2})?$/.test(plain)) return null;
  const cents = Math.round(Number(plain) * CENTS);
  return cents <= MAX_TOKENS ? cents : null;
}

/** Format an amount as one would type it. */
export function formatTokens(tokens: number): string {
  return tokens === 0 ? "" : String(tokens);
}

export function formatDollars(cents: number): string {
  if (cents === 0) return "";
  return cents % CENTS === 0 ? String(cents / CENTS) : (cents / CENTS).toFixed(2);
}
