import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LiveSocket } from "./socket";
import type { EventFrame, Frame } from "./types";

class FakeSocket {
  static made: FakeSocket[] = [];
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  said: { type: string; conversation_id?: string }[] = [];
  closed = false;

  constructor(readonly url: string) {
    FakeSocket.made.push(this);
  }

  send(text: string): void {
    this.said.push(JSON.parse(text) as { type: string });
  }

  close(): void {
    this.closed = true;
  }

  hears(frame: object): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  breaks(code = 1006): void {
    this.onclose?.({ code });
  }

  welcome(): void {
    this.hears({ type: "welcome" });
  }
}

function newest(): FakeSocket {
  const socket = FakeSocket.made.at(-1);
  if (socket === undefined) throw new Error("no socket was made");
  return socket;
}

function asked(socket: FakeSocket): string[] {
  return socket.said.filter(({ type }) => type === "subscribe").map(({ conversation_id: id }) => id ?? "");
}

const version = (id: string): Frame => ({ type: "version", conversation_id: id, version: 1 });

let live: LiveSocket;
const onRefused = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(1);
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.made = [];
  onRefused.mockClear();
  live = new LiveSocket(() => "ws://here/ws", onRefused);
  live.start();
});

afterEach(() => {
  live.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("subscriptions", () => {
  test("are made when the server has said welcome, also those asked for before", () => {
    live.subscribe("a", () => undefined);
    expect(newest().said).toEqual([]);
    newest().welcome();
    live.subscribe("b", () => undefined);
    expect(asked(newest())).toEqual(["a", "b"]);
  });

  test("bring the frames of their own conversation only", () => {
    const heard: Frame[] = [];
    live.subscribe("a", (frame) => heard.push(frame));
    newest().welcome();
    newest().hears(version("a"));
    newest().hears(version("b"));
    expect(heard).toEqual([version("a")]);
  });

  test("end with the last who listens", () => {
    const [one, other] = [live.subscribe("a", () => undefined), live.subscribe("a", () => undefined)];
    newest().welcome();
    one();
    expect(newest().said.map(({ type }) => type)).not.toContain("unsubscribe");
    other();
    expect(newest().said.at(-1)).toEqual({ type: "unsubscribe", conversation_id: "a" });
  });

  test("asked for anew bring a snapshot", () => {
    live.subscribe("a", () => undefined);
    newest().welcome();
    live.refresh("a");
    expect(newest().said.map(({ type }) => type)).toEqual(["subscribe", "unsubscribe", "subscribe"]);
  });

  test("that the server could not serve just now are asked for again", () => {
    const end = live.subscribe("a", () => undefined);
    newest().welcome();
    newest().hears({ type: "error", code: "unavailable", conversation_id: "a" });
    vi.advanceTimersByTime(2000);
    expect(asked(newest())).toEqual(["a", "a"]);
    newest().hears({ type: "error", code: "unavailable", conversation_id: "a" });
    end();
    vi.advanceTimersByTime(2000);
    expect(asked(newest())).toEqual(["a", "a"]);
  });

  test("tell since when nothing is missed: since they were last asked for", () => {
    live.subscribe("a", () => undefined);
    vi.advanceTimersByTime(300);
    newest().welcome();
    expect(live.heardSince("a")).toBe(Date.now());
    vi.advanceTimersByTime(300);
    expect(live.heardSince("a")).toBe(Date.now() - 300);
  });

  test("are made again after the connection was lost", () => {
    live.subscribe("a", () => undefined);
    newest().welcome();
    newest().breaks();
    vi.advanceTimersByTime(500);
    newest().welcome();
    expect(FakeSocket.made).toHaveLength(2);
    expect(asked(newest())).toEqual(["a"]);
  });

  test("whoever hears everything hears events of any conversation, and nothing but events", () => {
    const heard: EventFrame[] = [];
    live.hear((frame) => heard.push(frame));
    newest().welcome();
    newest().hears(version("a"));
    newest().hears({ type: "event", name: "UserMemoryChanged", data: {} });
    expect(heard).toHaveLength(1);
  });
});

describe("a connection that is lost", () => {
  test("comes back after pauses that grow to a quarter of a minute", () => {
    const pauses = [500, 1000, 2000, 4000, 8000, 15_000, 15_000];
    pauses.forEach((pause, made) => {
      newest().breaks();
      vi.advanceTimersByTime(pause - 1);
      expect(FakeSocket.made).toHaveLength(made + 1);
      vi.advanceTimersByTime(1);
      expect(FakeSocket.made).toHaveLength(made + 2);
    });
  });

  test("counts its failures anew once it stood", () => {
    newest().breaks();
    vi.advanceTimersByTime(500);
    newest().welcome();
    newest().breaks();
    vi.advanceTimersByTime(500);
    expect(FakeSocket.made).toHaveLength(3);
  });

  test("is told to those who watch", () => {
    const seen: string[] = [];
    live.watch(() => seen.push(live.connection));
    newest().welcome();
    newest().breaks();
    expect(seen).toEqual(["open", "away"]);
  });

  test("for want of a session is told, and tried again for whoever may stay", () => {
    newest().welcome();
    newest().breaks(4401);
    expect(onRefused).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(500);
    expect(FakeSocket.made).toHaveLength(2);
  });

  test("for being refused twice is called refused, until it stands", () => {
    newest().breaks(4403);
    expect(live.isRefused).toBe(false);
    vi.advanceTimersByTime(500);
    newest().breaks(4403);
    expect(live.isRefused).toBe(true);
    vi.advanceTimersByTime(1000);
    newest().welcome();
    expect(live.isRefused).toBe(false);
  });

  test("comes back at once when the network does", () => {
    newest().breaks();
    window.dispatchEvent(new Event("online"));
    expect(FakeSocket.made).toHaveLength(2);
  });
});

describe("silence", () => {
  test("is broken by asking whether anybody is there", () => {
    newest().welcome();
    vi.advanceTimersByTime(20_000);
    expect(newest().said).toEqual([{ type: "ping" }]);
  });

  test("that lasts means that the connection is dead", () => {
    newest().welcome();
    const silent = newest();
    vi.advanceTimersByTime(60_000);
    expect(silent.closed).toBe(true);
    expect(live.connection).toBe("away");
    vi.advanceTimersByTime(500);
    expect(FakeSocket.made).toHaveLength(2);
  });

  test("is not silence where the server answers", () => {
    newest().welcome();
    for (let beat = 0; beat < 6; beat += 1) {
      vi.advanceTimersByTime(20_000);
      newest().hears({ type: "pong" });
    }
    expect(FakeSocket.made).toHaveLength(1);
  });
});

test("what an old socket still says is not heard", () => {
  const heard: Frame[] = [];
  live.subscribe("a", (frame) => heard.push(frame));
  const old = newest();
  old.welcome();
  window.dispatchEvent(new Event("offline"));
  old.hears(version("a"));
  expect(heard).toEqual([]);
});

test("nothing is left running after the end", () => {
  newest().welcome();
  live.stop();
  vi.advanceTimersByTime(120_000);
  expect(FakeSocket.made).toHaveLength(1);
  expect(newest().closed).toBe(true);
});

test("however often it is lost there is one socket, and none when it is stopped", () => {
  newest().welcome();
  newest().breaks();
  window.dispatchEvent(new Event("offline"));
  window.dispatchEvent(new Event("online"));
  newest().welcome();
  const made = FakeSocket.made.length;
  vi.advanceTimersByTime(30_000);
  expect(FakeSocket.made.length).toBe(made);
});
