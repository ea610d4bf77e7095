/** A `SessionStore` for the Claude Agent SDK: transcripts in a folder, and events for the server. */
import { spawn } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";

import { EventReader, type HookEvent } from "./events.js";
import { Transcripts } from "./transcripts.js";
import type { SessionKey, SessionStore, SessionStoreEntry } from "./types.js";

export type { SessionKey, SessionStore, SessionStoreEntry } from "./types.js";

/** A little more than the deadline of the command itself. */
const LONGEST_MS = 6_000;
/** The hook that never waits for the server; the event's own name says what it is. */
const NEVER_WAITS = "tool";

export type Options = {
  /** Where the transcripts are stored; by default in `~/.continuity/transcripts`. */
  folder?: string;
  /** The directory that the sessions work in. */
  cwd?: string;
  /** The command of the Python package `continuity-client`, with its first arguments. */
  command?: string[];
};

/**
 * Mirrors an application's sessions. Events go through the command `continuity`, which takes secrets out, keeps them
 * while the server is down, and does nothing without a paired server.
 *
 * Do not use it together with hooks of that command: each prompt would be recorded twice.
 */
export class ContinuitySessionStore implements SessionStore {
  private readonly transcripts: Transcripts;
  private readonly reader = new EventReader();
  private readonly cwd: string;
  private readonly command: string[];
  private last: Promise<unknown> = Promise.resolve();

  constructor(options: Options = {}) {
    const home = process.env["CONTINUITY_HOME"] || join(homedir(), ".continuity");
    this.transcripts = new Transcripts(options.folder ?? join(home, "transcripts"));
    this.cwd = options.cwd ?? process.cwd();
    this.command = options.command ?? ["continuity"];
  }

  /** Store entries in the order of the calls; one that was stored before, by its uuid, is skipped. */
  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    return this.inOrder(() => this.store(key, entries));
  }

  load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    return this.inOrder(() => this.transcripts.load(key));
  }

  listSessions(projectKey: string): Promise<Array<{ sessionId: string; mtime: number }>> {
    return this.inOrder(() => this.transcripts.sessions(projectKey));
  }

  listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]> {
    return this.inOrder(() => this.transcripts.subkeys(key));
  }

  /** Delete a transcript; the main one with those of its subagents. The server's session stays. */
  delete(key: SessionKey): Promise<void> {
    return this.inOrder(() => this.transcripts.delete(key));
  }

  private async store(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    const isNew = !(await this.transcripts.exists(key));
    const added = await this.transcripts.append(key, entries);
    if (key.subpath || added.length === 0) return;
    const start = isNew ? [{ hook_event_name: "SessionStart", source: "startup" }] : [];
    const events = added.flatMap((entry) => this.reader.eventsOf(entry));
    for (const event of [...start, ...events]) await this.record(key, event);
  }

  /** Hand an event to the command, which stores it and sends it later; a failure harms no session. */
  private record(key: SessionKey, event: HookEvent): Promise<void> {
    const [program = "continuity", ...first] = this.command;
    return new Promise((resolve) => {
      const child = spawn(program, [...first, "hook", NEVER_WAITS, "--client", "claude-code"], {
        stdio: ["pipe", "ignore", "ignore"],
        timeout: LONGEST_MS,
        windowsHide: true,
      });
      child.on("error", () => resolve());
      child.on("close", () => resolve());
      child.stdin.on("error", () => undefined);
      child.stdin.end(JSON.stringify({ session_id: key.sessionId, cwd: this.cwd, ...event }));
    });
  }

  private inOrder<Result>(action: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(action);
    this.last = result.catch(() => undefined);
    return result;
  }
}
