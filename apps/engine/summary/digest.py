"""Extractive digest of a span of messages in few tokens: first what was settled, then its most salient sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from apps.engine.messages.display import display_text
from apps.engine.messages.importance import importance, importance_of_place
from apps.engine.messages.message import Message, Role
from apps.engine.policy import Level, Policy
from apps.engine.summary.extractive import summarize
from apps.engine.summary.rendering import FIELD_HEADINGS, REPORTED, SECTION_HEADINGS, section_line, summary_text
from apps.engine.summary.rolling_summary import Line, RollingSummary
from apps.engine.summary.trimming import trim_summary
from apps.engine.tokens.estimate import TOKEN_SIZE, characters_within, text_size
from apps.engine.tokens.scripts import LATIN_SIZE

_LONGEST_QUOTE = 200
# A shorter text rarely contains a whole clause.
_SHORTEST_QUOTE = 24
_SAID = "Said:"
_ROLES = frozenset(role.value for role in Role)
_SECTIONS = {section_line(name): name for name in SECTION_HEADINGS}
_REPORTED_LINE = re.compile(rf"\(({'|'.join(FIELD_HEADINGS)})\) (.*)")


@dataclass(frozen=True, slots=True)
class _Saying:
    """One utterance; without a `role` if the speaker is unknown."""

    role: Role | None
    words: str


def digest(messages: Sequence[Message], limit: int, policy: Policy) -> str:
    """Summarize the messages, oldest first, in at most `limit` tokens, with words from the messages only.

    Of very many it reads as many of the newest as a compaction does.

    >>> from apps.engine.messages.message import Role
    >>> said = [Message("m1", 0, Role.USER, "We chose Redis because it is fast.", 12)]
    >>> print(digest(said, 40, Policy()))
    Decisions:
    - We chose Redis (because: it is fast.)
    Said:
    - user: We chose Redis because it is fast.
    """
    read = _newest(messages, policy.max_compaction_tokens)
    sayings = [_Saying(message.role, display_text(message)) for message in read]
    return _written(summarize(RollingSummary(), read, Level.DEEP, policy), sayings, limit)


def quotes(messages: Sequence[Message], limit: int) -> str:
    """At most `limit` tokens of the most salient sentences alone: faster, for text that is digested again."""
    return _written(RollingSummary(), [_Saying(message.role, display_text(message)) for message in messages], limit)


def digest_again(texts: Sequence[str], limit: int) -> str:
    """Digest the texts of adjacent spans, oldest first, in at most `limit` tokens: digests, or any lines.

    >>> first = "Decisions:\\n- We chose Redis\\nSaid:\\n- user: hello"
    >>> print(digest_again([first, "Decisions:\\n- We chose Redis\\nSaid:\\n- user: We agreed on Mondays."], 18))
    Decisions:
    - We chose Redis
    Said:
    - user: We agreed on Mondays.
    """
    settled: dict[str, dict[Line, None]] = {field: {} for field in FIELD_HEADINGS}
    said: dict[Line, None] = {}
    for text in texts:
        read = list(_read(text))
        if any(field == "current_plan" for field, _ in read):
            settled["current_plan"].clear()
        for field, line in read:
            lines = settled[field] if field else said
            lines.pop(line, None)
            lines[line] = None
    fields: dict[str, Any] = {field: tuple(lines) for field, lines in settled.items()}
    return _written(RollingSummary(**fields), [_saying(line.text) for line in said], limit)


def _newest(messages: Sequence[Message], tokens: int) -> Sequence[Message]:
    """As many of the newest as a compaction reads at once, and one at least."""
    first = len(messages)
    while first and (tokens > 0 or first == len(messages)):
        first -= 1
        tokens -= messages[first].token_count
    return messages[first:]


def _written(summary: RollingSummary, sayings: Sequence[_Saying], limit: int) -> str:
    settled = summary_text(trim_summary(summary, limit).summary).partition("\n")[2]
    quotes = _quotes(sayings, limit * TOKEN_SIZE - text_size(f"{settled}\n{_SAID}"))
    return "\n".join(text for text in (settled, *([_SAID, *quotes] if quotes else [])) if text)


def _quotes(sayings: Sequence[_Saying], room: int) -> list[str]:
    """The beginnings of the most important utterances that fit, in chronological order."""
    count = len(sayings)
    weights = [
        importance(saying.words, saying.role or Role.ASSISTANT) + importance_of_place(place, count)
        for place, saying in enumerate(sayings)
    ]
    chosen: dict[int, str] = {}
    for place in sorted(range(count), key=lambda place: (-weights[place], place)):
        if room < _SHORTEST_QUOTE * LATIN_SIZE:
            break
        line = _quote(sayings[place], room)
        if line:
            chosen[place] = line
            room -= text_size(f"\n{line}")
    return [chosen[place] for place in sorted(chosen)]


def _quote(saying: _Saying, room: int) -> str:
    """One line of at most this size with its line break; empty where nothing fits."""
    begin, words = f"- {saying.role}: " if saying.role else "- ", " ".join(saying.words.split())
    room -= text_size(f"\n{begin}")
    most = min(_LONGEST_QUOTE, characters_within(words[:_LONGEST_QUOTE], room))
    shown = words if len(words) <= most else words[: most - 1] + "…"
    return begin + shown if words and most > 1 and text_size(shown) <= room else ""


def _read(text: str) -> Iterator[tuple[str, Line]]:
    """The lines of a text, each with the summary field of its heading, if any.

    They are plain in every field: a term, a reason or a note is a part of the text by now.
    """
    section = ""
    for line in filter(None, map(str.strip, text.splitlines())):
        if line == _SAID or line in _SECTIONS:
            section = _SECTIONS.get(line, "")
        else:
            yield _line(section, line.removeprefix("- "))


def _line(section: str, text: str) -> tuple[str, Line]:
    reported = _REPORTED_LINE.fullmatch(text) if section == REPORTED else None
    return (
        (reported[1], Line(reported[2], (), reported=True))
        if reported
        else (section.replace(REPORTED, ""), Line(text, ()))
    )


def _saying(line: str) -> _Saying:
    role, colon, words = line.partition(": ")
    return _Saying(Role(role), words) if colon and role in _ROLES else _Saying(None, line)
