/**
 * The parts of the Claude Agent SDK's `SessionStore` (`@anthropic-ai/claude-agent-sdk` 0.3) that are implemented here.
 *
 * They are written down again so that this package depends on nothing; TypeScript compares them by structure.
 */

/** A transcript: the main one of a session, or with `subpath` that of a subagent. */
export type SessionKey = { projectKey: string; sessionId: string; subpath?: string };

/** One line of a transcript. */
export type SessionStoreEntry = { type: string; uuid?: string; timestamp?: string; [name: string]: unknown };

export type SessionStore = {
  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void>;
  load(key: SessionKey): Promise<SessionStoreEntry[] | null>;
  listSessions(projectKey: string): Promise<Array<{ sessionId: string; mtime: number }>>;
  delete(key: SessionKey): Promise<void>;
  listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]>;
};
