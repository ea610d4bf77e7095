/** Typed access to localStorage for drafts, unsent messages and preferences. Storage may be full or disabled. */

const PREFIX = "continuity:";

export function readStored<T>(name: string, fallback: T): T {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

/** Return whether the value was stored. Without storage everything works until the page is closed. */
export function writeStored(name: string, value: unknown): boolean {
  try {
    if (value === null || value === "") localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
