/** XMLHttpRequest for tests: the mocked `fetch` answers, and the test says how far the upload is. */

import { act } from "@testing-library/react";
import { vi } from "vitest";

export class Transfer {
  upload: { onprogress: ((sent: { loaded: number; total: number }) => void) | null } = { onprogress: null };
  onload: (() => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;
  onabort: (() => void) | null = null;
  status = 0;
  responseText = "";
  form: FormData | null = null;
  isAborted = false;
  request = new Request("/");
  readonly sentHeaders = new Headers();
  #headers = new Headers();

  open(method: string, url: string) {
    this.request = new Request(url, { method });
  }

  setRequestHeader(name: string, value: string) {
    this.sentHeaders.set(name, value);
  }

  send(form: FormData) {
    this.form = form;
    void this.#answer();
  }

  abort() {
    this.isAborted = true;
    this.onabort?.();
  }

  getAllResponseHeaders(): string {
    return [...this.#headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  }

  /** So much of the body was sent. */
  progress(loaded: number, total: number) {
    act(() => this.upload.onprogress?.({ loaded, total }));
  }

  /** The connection is lost. */
  drop() {
    act(() => this.onerror?.(new Event("error")));
  }

  async #answer() {
    const response = await fetch(this.request);
    this.responseText = await response.text();
    this.status = response.status;
    this.#headers = response.headers;
    if (!this.isAborted) this.onload?.();
  }
}

/** The transfers of the test, as they begin. */
export function mockTransfers(): Transfer[] {
  const transfers: Transfer[] = [];
  class Recorded extends Transfer {
    constructor() {
      super();
      transfers.push(this);
    }
  }
  vi.stubGlobal("XMLHttpRequest", Recorded);
  return transfers;
}
