/** jsdom lacks a few things that every browser has. */

import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { clearToasts } from "@/components/feedback/toast";
import { reread } from "@/lib/outbox";

window.matchMedia = (query: string) =>
  ({
    matches: false,
    media: query,
    onchange: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    dispatchEvent: () => false,
  }) as unknown as MediaQueryList;

class NoObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
window.ResizeObserver = NoObserver;
Element.prototype.scrollIntoView = () => undefined;

Blob.prototype.arrayBuffer = function () {
  const reader = new FileReader();
  const read = new Promise<ArrayBuffer>((resolve) => {
    reader.onload = () => resolve(reader.result as ArrayBuffer);
  });
  reader.readAsArrayBuffer(this);
  return read;
};

/** Parts that are loaded when they are needed take their time on a busy machine. */
configure({ asyncUtilTimeout: 4000 });

/** Addresses may be relative to the page. */
const AbsoluteRequest = globalThis.Request;
globalThis.Request = class extends AbsoluteRequest {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(typeof input === "string" ? new URL(input, location.href) : input, init);
  }
};

afterEach(() => {
  cleanup();
  clearToasts();
  localStorage.clear();
  reread();
});
