/** What people type for a limit; empty means that there is none. */

const LARGEST = 1_000_000_000_000;
const CENTS = 100;

/** Zero where nothing is typed, `null` where it is no whole number. */
export function tokensTyped(text: string): number | null {
  const plain = text.replace(/[\s,_]/g, "");
  if (plain === "") return 0;
  return /^\d+$/.test(plain) && Number(plain) <= LARGEST ? Number(plain) : null;
}

/** In cents; zero where nothing is typed, `null` where it is no amount of dollars. */
export function centsTyped(text: string): number | null {
  const plain = text.replace(/[\s,$]/g, "");
  if (plain === "") return 0;
  if (!/^\d+(\.\d{1,2})?$/.test(plain)) return null;
  const cents = Math.round(Number(plain) * CENTS);
  return cents <= LARGEST ? cents : null;
}

/** As one would type it. */
export function writtenTokens(tokens: number): string {
  return tokens === 0 ? "" : String(tokens);
}

export function writtenDollars(cents: number): string {
  if (cents === 0) return "";
  return cents % CENTS === 0 ? String(cents / CENTS) : (cents / CENTS).toFixed(2);
}
