/** Names of coding agents, as their makers write them. */

const NAMES: Record<string, string> = {
  "claude-code": "Claude Code",
  "codex": "Codex",
  "gemini-cli": "Gemini CLI",
  "cursor": "Cursor",
  "vscode": "VS Code",
  "opencode": "OpenCode",
  "import": "Imported",
  "continuity": "Continuity client",
};

/** A client that this page does not know is shown by its own name. */
export function clientName(client: string): string {
  return NAMES[client] ?? client;
}
