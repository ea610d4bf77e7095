"""Key messages: the most important messages of a span that does not fit, quoted in order with gap markers.

They are selected by their words and position alone, without a model. Seed 003.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from apps.engine.language.truncation import truncated_to_budget
from apps.engine.messages.display import display_text, speaker
from apps.engine.messages.importance import importance_of_place
from apps.engine.messages.message import Message
from apps.engine.messages.tool_exchanges import Exchange, exchanges
from apps.engine.summary.rendering import BETWEEN_SECTIONS
from apps.engine.text.quoting import quoted_from
from apps.engine.tokens.estimate import estimate_text

# A shorter excerpt would carry little information.
_MIN_EXCERPT_TOKENS = 50
_GAP_TOKENS = 10
_SEPARATOR_TOKENS = estimate_text(BETWEEN_SECTIONS)


@dataclass(frozen=True, slots=True)
class WeightedMessage:
    """A candidate message: its index, its importance apart from its position, and its content if it was loaded.

    A message that was not loaded cannot be selected, but counts in gap markers.
    """

    index: int
    importance: float
    message: Message | None = None


@dataclass(frozen=True, slots=True)
class KeyMessages:
    """`text` as included in the pack, `ids` of the quoted messages, `cut` ids of those quoted only in part."""

    text: str = ""
    ids: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()


def key_messages(span: Sequence[WeightedMessage], budget: int) -> KeyMessages:
    """Select key messages of a span (oldest first) within `budget` tokens, never a tool call without its results.

    >>> from apps.engine.messages.message import Role
    >>> said = ["We decided to use Redis.", "Good.", "Fine.", "Final: one node, with a backup every night."]
    >>> span = [WeightedMessage(i, len(text), Message(f"m{i}", i, Role.USER, text, 10)) for i, text in enumerate(said)]
    >>> print(key_messages(span, 55).text)
    [#0 user]
    > We decided to use Redis.
    <BLANKLINE>
    [… 2 messages left out …]
    <BLANKLINE>
    [#3 user]
    > Final: one node, with a backup every night.
    """
    chosen: dict[int, str] = {}
    cut: list[str] = []
    for exchange in _by_weight(span):
        texts = {message.index: key_text(message) for message in exchange}
        cost = sum(map(_cost, texts.values()))
        if cost <= budget:
            chosen |= texts
            budget -= cost
            continue
        shorter = truncated_to_budget(texts[exchange[0].index], budget - _GAP_TOKENS - _SEPARATOR_TOKENS)
        if len(exchange) == 1 and budget - _GAP_TOKENS >= _MIN_EXCERPT_TOKENS and shorter:
            chosen[exchange[0].index] = shorter
            cut.append(exchange[0].id)
        break
    ids = tuple(one.message.id for one in span if one.message and one.index in chosen)
    return KeyMessages(BETWEEN_SECTIONS.join(_with_gaps(span, chosen)), ids, tuple(cut))


def key_text(message: Message) -> str:
    """Quote a message: index and speaker, then its text."""
    return quoted_from(f"#{message.index} {speaker(message)}", display_text(message))


def _cost(text: str) -> int:
    """Tokens of a quoted message with the gap marker after it."""
    return estimate_text(text + BETWEEN_SECTIONS) + _GAP_TOKENS


def _by_weight(span: Sequence[WeightedMessage]) -> list[Exchange]:
    """Tool exchanges and single messages, most important first; on a tie the older first."""
    count = len(span)
    weights = {one.index: one.importance + importance_of_place(at, count) for at, one in enumerate(span)}

    def weight(exchange: Exchange) -> tuple[float, int]:
        return -max(weights[message.index] for message in exchange), exchange[0].index

    read = [one.message for one in span if one.message]
    return sorted(filter(_is_whole, exchanges(read)), key=weight)


def _is_whole(exchange: Exchange) -> bool:
    """Whether every tool call has its result and every result its call."""
    calls = frozenset[str]().union(*(message.calls for message in exchange))
    return calls == frozenset[str]().union(*(message.results for message in exchange))


def _with_gaps(span: Iterable[WeightedMessage], chosen: dict[int, str]) -> Iterator[str]:
    """Yield the chosen texts in order with gap markers; a gap before the first text is reported elsewhere."""
    skipped, begun = 0, False
    for one in span:
        if one.index not in chosen:
            skipped += 1
            continue
        if begun and skipped:
            yield _gap(skipped)
        yield chosen[one.index]
        skipped, begun = 0, True
    if begun and skipped:
        yield _gap(skipped)


def _gap(skipped: int) -> str:
    return f"[… {skipped:,} message{'s' * (skipped > 1)} left out …]"
