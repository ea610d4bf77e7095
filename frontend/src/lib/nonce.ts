/** The nonce that the content security policy requires on styles; the server generates one per page. */

import { setNonce } from "get-nonce";

export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
}

/** Pass the nonce to libraries that inject styles without a nonce parameter. */
export function shareNonce(): void {
  setNonce(styleNonce());
}
