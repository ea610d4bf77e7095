/** Key names for the user's platform. */

const ON_APPLE = /Mac OS X|iPhone|iPad/.test(navigator.userAgent);
const APPLE: Record<string, string> = { mod: "⌘", shift: "⇧", alt: "⌥" };
const OTHERS: Record<string, string> = { mod: "Ctrl", shift: "Shift", alt: "Alt" };

/** Format "mod+shift+K" as ⌘⇧K or Ctrl+Shift+K. */
export function keyNames(keys: string, onApple = ON_APPLE): string {
  const names = keys.split("+").map((key) => (onApple ? APPLE : OTHERS)[key.toLowerCase()] ?? key);
  return names.join(onApple ? "" : "+");
}
