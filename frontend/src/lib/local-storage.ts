/** What this browser keeps for itself: drafts, messages that wait, the look. It may be full or forbidden. */

const PREFIX = "continuity:";

export function kept<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

/** Whether it is kept: without storage everything works until the page is closed. */
export function keep(name: string, value: unknown): boolean {
  try {
    if (value === null || value === "") localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
