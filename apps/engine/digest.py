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

    Of very many it reads as many of the newest as a compaction does.

    >>> from apps.engine.messages import Role
    >>> said = [Message("m1", 0, Role.USER, "We chose Redis because it is fast.", 12)]
    >>> print(digest(said, 40, Policy()))
    Decisions:
    - We chose Redis (because: it is fast.)
    Said:
    - user: We chose Redis because it is fast.
    """
    read = _newest(messages, policy.max_fold_tokens)
    summary = trim_summary(summarise(RollingSummary(), read, Level.DEEP, policy), limit).summary
    settled = summary_text(summary).partition("\n")[2]
    room = limit * CHARACTERS_PER_TOKEN - len(settled) - len("\nSaid:")
    quotes = _quotes(read, room)
    return "\n".join(text for text in (settled, *(["Said:", *quotes] if quotes else [])) if text)


def _newest(messages: Sequence[Message], tokens: int) -> Sequence[Message]:
    """As many of the newest as a compaction reads at once, and one at least."""
    first = len(messages)
    while first and (tokens > 0 or first == len(messages)):
        first -= 1
        tokens -= messages[first].token_count
    return messages[first:]


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
        if room < _SHORTEST_QUOTE:
            break
        line = _quote(messages[place], texts[place], room - len("\n"))
        if line:
            chosen[place] = line
            room -= len("\n") + len(line)
    return [chosen[place] for place in sorted(chosen)]


def _quote(message: Message, text: str, room: int) -> str:
    begin, words = f"- {message.role}: ", " ".join(text.split())
    most = min(_LONGEST_QUOTE, room - len(begin))
    shown = words if len(words) <= most else words[: most - 1] + "…"
    return begin + shown if words and most > 1 else ""
