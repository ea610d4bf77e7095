/** The one socket of the page: it comes back by itself, subscribes again, and says how it is. */

import type { ClientFrame, ErrorFrame, EventFrame, Frame, ServerFrame } from "./types";

export type Connection = "connecting" | "open" | "away";
type Listener = (frame: Frame) => void;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
const PING_MS = 20_000;
/** Without any word for this long the connection is taken for dead. */
const SILENCE_MS = 45_000;
/** When a state that could not be read is asked for again. */
const ASK_AGAIN_MS = 2_000;
const SIGNED_OUT = 4401;
const REVOKED = 4403;
/** Refused so often in a row, somebody who is signed in is told. */
const REFUSALS = 2;

export class LiveSocket {
  connection: Connection = "connecting";
  private socket: WebSocket | null = null;
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly watchers = new Set<() => void>();
  private readonly personal = new Set<(frame: EventFrame) => void>();
  /** When the present subscriptions were asked for. */
  private readonly askedAt = new Map<string, number>();
  private failures = 0;
  private refusals = 0;
  private heard = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private beat: ReturnType<typeof setInterval> | undefined;

  /**
   * `onRefused`: the server lets nobody in, because the session is over or the access was taken back. Whoever may stay
   * all the same is let in later, perhaps.
   */
  constructor(
    private readonly url: () => string,
    private readonly onRefused: () => void = () => undefined,
  ) {}

  start(): void {
    this.beat = setInterval(() => this.tick(), PING_MS);
    window.addEventListener("online", this.again);
    window.addEventListener("offline", this.lost);
    this.connect();
  }

  stop(): void {
    clearInterval(this.beat);
    clearTimeout(this.timer);
    window.removeEventListener("online", this.again);
    window.removeEventListener("offline", this.lost);
    this.drop();
  }

  /** Hear of a conversation, beginning with a snapshot. */
  subscribe(id: string, listener: Listener): () => void {
    const those = this.listeners.get(id) ?? new Set();
    this.listeners.set(id, those.add(listener));
    this.ask(id);
    return () => {
      those.delete(listener);
      if (those.size > 0 || this.listeners.get(id) !== those) return;
      this.listeners.delete(id);
      this.say({ type: "unsubscribe", conversation_id: id });
    };
  }

  /** Hear every event, whatever it is about. */
  hear(listener: (frame: EventFrame) => void): () => void {
    this.personal.add(listener);
    return () => this.personal.delete(listener);
  }

  /** Ask for a fresh snapshot. */
  refresh(id: string): void {
    this.say({ type: "unsubscribe", conversation_id: id });
    this.ask(id);
  }

  /** What was fetched until then may have become old without a word. */
  heardSince(id: string): number {
    return this.askedAt.get(id) ?? Date.now();
  }

  get isRefused(): boolean {
    return this.refusals >= REFUSALS;
  }

  watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  private connect(): void {
    clearTimeout(this.timer);
    this.drop();
    const socket = new WebSocket(this.url());
    this.socket = socket;
    socket.onmessage = ({ data }) => this.take(socket, JSON.parse(String(data)) as ServerFrame);
    socket.onclose = ({ code }) => {
      if (socket === this.socket) this.closed(code);
    };
  }

  private take(socket: WebSocket, frame: ServerFrame): void {
    if (socket !== this.socket) return;
    this.heard = Date.now();
    if (frame.type === "welcome") this.opened();
    if (frame.type === "error") this.failed(frame);
    if ("conversation_id" in frame && frame.type !== "error" && frame.type !== "unsubscribed")
      for (const listener of this.of(frame.conversation_id)) listener(frame);
    if (frame.type === "event") for (const listener of this.personal) listener(frame);
  }

  /** The server could not read a conversation's state just now, and has forgotten that somebody listens. */
  private failed({ code, conversation_id: id }: ErrorFrame): void {
    if (code !== "unavailable" || id === undefined) return;
    setTimeout(() => {
      if (this.listeners.has(id)) this.refresh(id);
    }, ASK_AGAIN_MS);
  }

  private of(id: string): Iterable<Listener> {
    return this.listeners.get(id) ?? [];
  }

  private opened(): void {
    this.failures = 0;
    this.refusals = 0;
    this.become("open");
    for (const id of this.listeners.keys()) this.ask(id);
  }

  private closed(code: number): void {
    const isRefused = code === SIGNED_OUT || code === REVOKED;
    this.socket = null;
    this.refusals = isRefused ? this.refusals + 1 : 0;
    this.become("away");
    if (isRefused) this.onRefused();
    clearTimeout(this.timer);
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.failures);
    this.failures += 1;
    this.timer = setTimeout(() => this.connect(), pause * (0.5 + Math.random() / 2));
  }

  /** Try now, not only when the pause is over. */
  readonly again = (): void => {
    if (this.connection === "open") return;
    this.failures = 0;
    this.drop();
    this.connect();
  };

  private readonly lost = (): void => {
    this.drop();
    this.closed(0);
  };

  private tick(): void {
    if (this.connection === "open" && Date.now() - this.heard > SILENCE_MS) this.lost();
    else this.say({ type: "ping" });
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  private ask(id: string): void {
    this.askedAt.set(id, Date.now());
    this.say({ type: "subscribe", conversation_id: id });
  }

  private say(frame: ClientFrame): void {
    if (this.connection === "open") this.socket?.send(JSON.stringify(frame));
  }

  private become(connection: Connection): void {
    this.connection = connection;
    for (const watcher of this.watchers) watcher();
  }
}

export function socketUrl(): string {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
}
