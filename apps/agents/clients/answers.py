"""The answer to an event in the agent's own JSON: text for the model where the agent takes some, else nothing.

An agent may refuse an answer with a key that it does not know, and an answer when it stops makes it go on.
"""

from __future__ import annotations

import json
from typing import Any

from apps.agents.clients.event import AgentEvent
from apps.engine.language.text_sizes import utf8_size

MOST_BYTES = 9_500
"""Of an answer as JSON. Agents cut longer ones, some by characters and some by bytes."""
TEXT_BYTES = MOST_BYTES - 150
"""Of its text, without the element around it and the keys."""

Answer = dict[str, Any]


def size_of(answer: Answer) -> int:
    """Bytes of the answer as JSON."""
    return utf8_size(json.dumps(answer, ensure_ascii=False))


def answer_specific(event: AgentEvent, text: str) -> Answer:
    """The answer of Claude Code and of the agents that share its contract."""
    return {"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": text}}


def answer_cursor(event: AgentEvent, text: str) -> Answer:
    return {"additional_context": text}


def answer_opencode(event: AgentEvent, text: str) -> Answer:
    """The answer that our plugin adds to the system prompt, or to the compaction's context."""
    return {"context": [text]}


CLAUDE_CODE_TAKES = frozenset({"SessionStart", "UserPromptSubmit"})
CODEX_TAKES = frozenset({"SessionStart", "UserPromptSubmit"})
GEMINI_TAKES = frozenset({"SessionStart", "BeforeAgent"})
CURSOR_TAKES = frozenset({"sessionStart"})
VSCODE_TAKES = frozenset({"SessionStart"})
OPENCODE_TAKES = frozenset({"session.created", "chat.message", "experimental.session.compacting"})
