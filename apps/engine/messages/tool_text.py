"""The text by which search finds a tool's message, and which it quotes: the call in one line and a digest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apps.engine.messages.message import Message, Part, PartKind, Role
from apps.engine.messages.tool_arguments import arguments_object
from apps.engine.messages.tool_digest import LONGEST_SUMMARY, result_digest, tool_title

LONGEST_TOOL_TEXT = 2_000
"""Characters of the digest."""


def call_titles(messages: Iterable[Message]) -> dict[str, str]:
    """The tool calls of the messages in one line each, by their ids.

    >>> call = Part(PartKind.TOOL_CALL, '{"command": "pytest tests"}', "c1", "Bash")
    >>> call_titles([Message("m1", 0, Role.ASSISTANT, "", 4, parts=(call,))])
    {'c1': 'Bash pytest tests'}
    """
    parts = [part for message in messages for part in message.parts if part.kind is PartKind.TOOL_CALL]
    return {part.call_id: tool_title(part.name, arguments_object(part.text)) for part in parts if part.call_id}


def tool_text(message: Message, titles: Mapping[str, str]) -> str:
    """The text of a message that holds what tools returned; empty for every other message.

    >>> result = Part(PartKind.TOOL_RESULT, "AssertionError: 3 != 4", "c1", "Bash")
    >>> tool_text(Message("m2", 1, Role.TOOL, "", 4, parts=(result,)), {"c1": "Bash pytest tests"})
    'Bash pytest tests\\nAssertionError: 3 != 4'
    """
    results = [part for part in message.parts if part.kind is PartKind.TOOL_RESULT]
    if message.role is not Role.TOOL and (message.content.strip() or not results):
        return ""
    texts = [text for part in results for text in _result_texts(part, titles)]
    lines = [line for text in (message.content, *texts) for line in text.splitlines() if line.strip()]
    # A log repeats lines, which say nothing more the second time.
    return result_digest("\n".join(dict.fromkeys(lines)), LONGEST_TOOL_TEXT)


def _result_texts(part: Part, titles: Mapping[str, str]) -> Iterator[str]:
    yield titles.get(part.call_id) or tool_title(part.name, {})
    # A summary is often an excerpt of the result.
    own = [line for line in part.summary.splitlines() if line not in part.text]
    yield "\n".join(own)[:LONGEST_SUMMARY]
    yield part.text
