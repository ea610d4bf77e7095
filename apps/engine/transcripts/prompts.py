"""Words of the user in a transcript, without what the agent and its hooks put between them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from apps.engine.messages.agent_text import without_injected
from apps.engine.transcripts.entries import BlockKind, Entry

_INSERTED = re.compile(
    r"<(session-start-hook|user-prompt-submit-hook|claude-mem-context)\b[^<>]*>.*?(?:</\1>|\Z)", re.DOTALL
)
_NOT_A_PROMPT = (
    "<command-name>",
    "<command-message>",
    "<command-args>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<local-command-caveat>",
    "<session-start-hook>",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
    "<tick>",
    "<goal>",
    "<ide_opened_file>",
    "<ide_selection>",
    "[Request interrupted by user",
)


def without_inserted(text: str) -> str:
    """The text without reminders of the agent and memories that hooks inserted.

    >>> without_inserted("Fix it. <system-reminder>Be kind.</system-reminder>")
    'Fix it.'
    """
    return _INSERTED.sub("", without_injected(text)).strip()


def prompt_of(entry: Entry) -> str:
    """What the user wrote in an entry; empty if the agent wrote it: a tool's result, a command's output, a summary."""
    if entry.kind != "user" or not entry.is_main or entry.is_compact_summary:
        return ""
    if any(block.kind is BlockKind.TOOL_RESULT for block in entry.blocks):
        return ""
    texts = [without_inserted(block.text) for block in entry.blocks if block.kind is BlockKind.TEXT]
    return "\n\n".join(text for text in texts if text and not text.startswith(_NOT_A_PROMPT))


def first_prompt(entries: Iterable[Entry]) -> str:
    return next((prompt for entry in entries if (prompt := prompt_of(entry))), "")
