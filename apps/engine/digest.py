"""A stretch of talk told in few tokens, without a model: what was settled in it, then its weightiest words."""

from __future__ import annotations

from collections.abc import Sequence

from apps.engine.extractive import summarise
from apps.engine.importance import importance, importance_of_place
from apps.engine.messages import Message
from apps.engine.policy import Level, Policy
from apps.engine.sections import summary_text
from apps.engine.shown import told
from apps.engine.summary import RollingSummary
from apps.engine.tokens import CHARACTERS_PER_TOKEN
from apps.engine.trimming import trim_summary

_LONGEST_QUOTE = 200
# Less would hardly hold a clause.
_SHORTEST_QUOTE = 24


def digest(messages: Sequence[Message], limit: int, policy: Policy) -> str:
    """At most `limit` tokens that tell what the messages, oldest first, are about; only words that stand in them.

    >>> from apps.engine.messages import Role
    >>> said = [Message("m1", 0, Role.USER, "We chose Redis because it is fast.", 12)]
    >>> print(digest(said, 40, Policy()))
    Decisions:
    - We chose Redis (because: it is fast.)
    Said:
    - user: We chose Redis because it is fast.
    """
    summary = trim_summary(summarise(RollingSummary(), messages, Level.DEEP, policy), limit).summary
    settled = summary_text(summary).partition("\n")[2]
    room = limit * CHARACTERS_PER_TOKEN - len(settled) - len("\nSaid:")
    quotes = _quotes(messages, room)
    return "\n".join(text for text in (settled, *(["Said:", *quotes] if quotes else [])) if text)


def _quotes(messages: Sequence[Message], room: int) -> list[str]:
    """The beginnings of the messages that matter most, as many as fit, in the order in which they were said."""
    count = len(messages)
    texts = [told(message) for message in messages]
    weights = [
        importance(text, message.role) + importance_of_place(place, count)
        for place, (message, text) in enumerate(zip(messages, texts, strict=True))
    ]
    chosen: dict[int, str] = {}
    for place in sorted(range(count), key=lambda place: (-weights[place], place)):
        line = _quote(messages[place], texts[place])
        if line and len(line) + 1 <= room:
            chosen[place] = line
            room -= len(line) + 1
        if room < _SHORTEST_QUOTE:
            break
    return [chosen[place] for place in sorted(chosen)]


def _quote(message: Message, text: str) -> str:
    words = " ".join(text.split())
    shown = words if len(words) <= _LONGEST_QUOTE else words[: _LONGEST_QUOTE - 1] + "…"
    return f"- {message.role}: {shown}" if shown else ""
