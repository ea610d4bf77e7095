/** Global test setup: stubs for what jsdom lacks. */

import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, vi } from "vitest";
import { clearToasts } from "@/components/feedback/toast";
import { reloadOutbox } from "@/lib/outbox";

window.matchMedia = (query: string) =>
  ({
    matches: false,
    media: query,
    onchange: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    dispatchEvent: () => false,
  }) as unknown as MediaQueryList;

class ResizeObserverStub {
  observe() {}
  unobserve() {}
  disconnect() {}
}
window.ResizeObserver = ResizeObserverStub;
Element.prototype.scrollIntoView = () => undefined;

Blob.prototype.arrayBuffer = function () {
  const reader = new FileReader();
  const read = new Promise<ArrayBuffer>((resolve) => {
    reader.onload = () => resolve(reader.result as ArrayBuffer);
  });
  reader.readAsArrayBuffer(this);
  return read;
};

/** Lazily loaded components take long on a busy machine. */
configure({ asyncUtilTimeout: 30_000 });

/** Resolve relative URLs against the page. */
const AbsoluteRequest = globalThis.Request;
globalThis.Request = class extends AbsoluteRequest {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(typeof input === "string" ? new URL(input, location.href) : input, init);
  }
};

/** The server sets this cookie with the session's; a test of a visitor deletes it. */
beforeEach(() => {
  document.cookie = "signed_in=1";
});

afterEach(() => {
  cleanup();
  clearToasts();
  localStorage.clear();
  reloadOutbox();
});

/** A prefetched panel whose import lasts beyond a file's end would break the next file, which shares the modules. */
afterAll(() => vi.dynamicImportSettled());
