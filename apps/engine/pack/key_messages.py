"""The messages that stand for a stretch of talk that has no room: the weightiest, in their order, gaps marked.

Chosen from their words and their place alone, without a model. Seed 003.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from apps.engine.language.truncation import truncated
from apps.engine.messages.display import speaker, told
from apps.engine.messages.importance import importance_of_place
from apps.engine.messages.message import Message
from apps.engine.messages.tool_exchanges import Exchange, exchanges
from apps.engine.summary.rendering import BETWEEN_SECTIONS, quoted
from apps.engine.tokens.counting import count_text

# A shorter beginning of a message would tell little.
_LEAST_CUT_TOKENS = 50
_GAP_TOKENS = 10
_BREAK_TOKENS = count_text(BETWEEN_SECTIONS)


@dataclass(frozen=True, slots=True)
class Weighed:
    """A message's place, the part of its importance that does not depend on it, and the message where it was read.

    One that was not read is passed over, and counted where a gap is marked.
    """

    index: int
    importance: float
    message: Message | None = None


@dataclass(frozen=True, slots=True)
class KeyMessages:
    """`text` as it stands in the pack; `ids` of those in it, `cut` of those of which only the beginning is."""

    text: str = ""
    ids: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()


def key_messages(stretch: Sequence[Weighed], room: int) -> KeyMessages:
    """What of the stretch, oldest first, is worth at most `room` tokens; a call never stands without its results.

    >>> from apps.engine.messages.message import Role
    >>> said = ["We decided to use Redis.", "Good.", "Fine.", "Final: one node, with a backup every night."]
    >>> stretch = [Weighed(i, len(text), Message(f"m{i}", i, Role.USER, text, 10)) for i, text in enumerate(said)]
    >>> print(key_messages(stretch, 55).text)
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
    for exchange in _by_weight(stretch):
        texts = {message.index: key_text(message) for message in exchange}
        cost = sum(map(_cost, texts.values()))
        if cost <= room:
            chosen |= texts
            room -= cost
            continue
        shorter = truncated(texts[exchange[0].index], room - _GAP_TOKENS - _BREAK_TOKENS)
        if len(exchange) == 1 and room - _GAP_TOKENS >= _LEAST_CUT_TOKENS and shorter:
            chosen[exchange[0].index] = shorter
            cut.append(exchange[0].id)
        break
    ids = tuple(one.message.id for one in stretch if one.message and one.index in chosen)
    return KeyMessages(BETWEEN_SECTIONS.join(_with_gaps(stretch, chosen)), ids, tuple(cut))


def key_text(message: Message) -> str:
    """A message as it is quoted: who said it, then its words."""
    return f"[#{message.index} {' '.join(speaker(message).split())}]\n{quoted(told(message))}"


def _cost(text: str) -> int:
    """With the mark of a gap after it."""
    return count_text(text + BETWEEN_SECTIONS) + _GAP_TOKENS


def _by_weight(stretch: Sequence[Weighed]) -> list[Exchange]:
    """Exchanges, the one with the weightiest message first; of equals the older."""
    count = len(stretch)
    weights = {one.index: one.importance + importance_of_place(at, count) for at, one in enumerate(stretch)}

    def weight(exchange: Exchange) -> tuple[float, int]:
        return -max(weights[message.index] for message in exchange), exchange[0].index

    read = [one.message for one in stretch if one.message]
    return sorted(filter(_is_whole, exchanges(read)), key=weight)


def _is_whole(exchange: Exchange) -> bool:
    """Every call stands with its result, and every result with its call."""
    calls = frozenset[str]().union(*(message.calls for message in exchange))
    return calls == frozenset[str]().union(*(message.results for message in exchange))


def _with_gaps(stretch: Iterable[Weighed], chosen: dict[int, str]) -> Iterator[str]:
    """The chosen texts in their order. Before the first one nothing is marked: what stands before it tells of that."""
    skipped, begun = 0, False
    for one in stretch:
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
