/** Copy text, with a fallback for pages without HTTPS, where browsers have no clipboard API. */

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyWithTextarea(text);
  }
}

function copyWithTextarea(text: string): boolean {
  const focusedBefore = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.style.position = "fixed";
  field.style.opacity = "0";
  document.body.append(field);
  field.select();
  try {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- There is no other way without a secure context.
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
    if (focusedBefore instanceof HTMLElement) focusedBefore.focus();
  }
}
