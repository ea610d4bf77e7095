/** Live state without a server: a fake socket that the test controls. */

import { act } from "@testing-library/react";
import type { ReactNode } from "react";
import { vi } from "vitest";
import { LiveProvider } from "@/events/live";

export class FakeSocket {
  static newest: FakeSocket | undefined;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly sent: unknown[] = [];

  constructor() {
    FakeSocket.newest = this;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.onmessage = null;
  }
}

export function InLive({ children }: { children: ReactNode }) {
  return <LiveProvider>{children}</LiveProvider>;
}

/** Call it before rendering. */
export function fakeSockets(): void {
  vi.stubGlobal("WebSocket", FakeSocket);
}

export function openSocket(): void {
  act(() => FakeSocket.newest?.onmessage?.({ data: JSON.stringify({ type: "welcome" }) }));
}

export function closeSocket(): void {
  act(() => FakeSocket.newest?.onclose?.({ code: 1006 }));
}
