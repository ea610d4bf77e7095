/** The word by which the content policy lets styles of this page's own pass; the server puts a fresh one into each. */

import { setNonce } from "get-nonce";

export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
}

/** For libraries that make styles without being handed the word. */
export function passNonceOn(): void {
  setNonce(styleNonce());
}
