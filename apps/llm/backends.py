"""The ways to a model, in the order in which they are preferred where nobody chose one."""

from __future__ import annotations

from enum import StrEnum


class Backend(StrEnum):
    """A provider and how it is spoken to. `COMPATIBLE` is any address that speaks OpenAI's chat completions."""

    CLAUDE_CLI = "claude-cli"
    OLLAMA = "ollama"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"
    OPENROUTER = "openrouter"
    OPENAI = "openai"
    COMPATIBLE = "compatible"
    OFFLINE = "offline"

    @property
    def called(self) -> str:
        """As people call it, within a sentence."""
        return _CALLED[self]


LOCAL = frozenset({Backend.CLAUDE_CLI, Backend.OLLAMA})
"""On the server itself, where one person's programs would answer everybody: only for workspaces that may."""

KEYED = frozenset({Backend.ANTHROPIC, Backend.GEMINI, Backend.OPENROUTER, Backend.OPENAI, Backend.COMPATIBLE})
"""Asked with a key."""

_CALLED = {
    Backend.CLAUDE_CLI: "the Claude CLI",
    Backend.OLLAMA: "Ollama",
    Backend.ANTHROPIC: "Anthropic",
    Backend.GEMINI: "Gemini",
    Backend.OPENROUTER: "OpenRouter",
    Backend.OPENAI: "OpenAI",
    Backend.COMPATIBLE: "the compatible address",
    Backend.OFFLINE: "no model",
}
