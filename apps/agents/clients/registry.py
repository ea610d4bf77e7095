"""The dialects by client: how its events are read, and which of them take an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from apps.agents.clients import answers, claude_code, codex, cursor, gemini_cli, opencode, vscode
from apps.agents.clients.event import AgentEvent
from apps.engine.language.text_sizes import json_size
from apps.engine.messages.agent_text import as_injected


@dataclass(frozen=True, slots=True)
class Dialect:
    """The reader of a client's events, the names of those that take text, and how it is given to them."""

    read: Callable[[Mapping[str, Any]], AgentEvent | None]
    takes: frozenset[str]
    give: Callable[[AgentEvent, str], answers.Answer] = answers.answer_specific

    def answer(self, event: AgentEvent, text: str) -> answers.Answer:
        """Return the answer with the text; empty if there is none or the event takes none."""
        if event.name not in self.takes:
            return {}
        room = answers.MOST_BYTES - answers.size_of(self.give(event, ""))
        injected = as_injected(text, room, json_size)
        return self.give(event, injected) if injected else {}


DIALECTS: Mapping[str, Dialect] = {
    "claude-code": Dialect(claude_code.read, answers.CLAUDE_CODE_TAKES),
    "codex": Dialect(codex.read, answers.CODEX_TAKES),
    "gemini-cli": Dialect(gemini_cli.read, answers.GEMINI_TAKES),
    "cursor": Dialect(cursor.read, answers.CURSOR_TAKES, answers.answer_cursor),
    "vscode": Dialect(vscode.read, answers.VSCODE_TAKES),
    "opencode": Dialect(opencode.read, answers.OPENCODE_TAKES, answers.answer_opencode),
}
CLIENTS = tuple(DIALECTS)
