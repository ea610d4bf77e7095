"""Earlier statements that no longer hold after new ones, as the reader judges it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeVar

from apps.engine.extraction.candidate import Candidate, Extraction
from apps.engine.memory.relations import OTHER_TOPIC_ENDED, STILL_HOLDS, share_topic
from apps.llm.reading.installed import ended_chances

MOST_COMPARED = 4
"""Memories, and statements of the same messages, that each new statement is compared with."""
MOST_OF_PASSAGE = 2 * MOST_COMPARED
"""Earlier statements that a passage is compared with."""
_SEEMS_ENDED = 0.7
"""The chance from which on a statement seems to have ended, which is not yet enough to replace it."""
Pair = tuple[str, str]
"""An earlier statement, and a new one or a passage."""
_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class _Compared:
    """A passage with what was found in it, and the earlier statements that it is compared with."""

    text: str
    kept: Sequence[Candidate]
    possible: Sequence[Candidate]
    earlier: Sequence[str]

    @property
    def found(self) -> Sequence[Candidate]:
        return (*self.kept, *self.possible)

    @property
    def pairs(self) -> list[Pair]:
        return [(old, self.text) for old in self.earlier]


def endings_of(
    found: Extraction,
    known: Mapping[str, Sequence[str]],
    source_messages: Mapping[str, str],
    elsewhere: Collection[str] = (),
) -> dict[str, dict[str, float]]:
    """Return for each new statement the chances that earlier ones no longer hold after it.

    `known` are the memories near each, `source_messages` has the messages that those came from; those said `elsewhere`
    are of other conversations. The reader judges whole passages: what changes is often said by the sentence before. Of
    the candidates in a passage, the one that says most of the change has all of the passage's chance, if it says enough
    of it, or if nothing in the passage does and what surely ends was said elsewhere: in one conversation less ends, and
    more seems to.
    """
    compared = list(_compared(found, known))
    judged = _chances(pair for one in compared for pair in one.pairs)
    source_messages = {**{one.statement: one.quote.message_id for one in found.candidates}, **source_messages}
    whole = [
        capped_if_several(
            {pair: judged[pair] for pair in one.pairs}, lambda pair: source_messages.get(pair[0], pair[0])
        )
        for one in compared
    ]
    alone = _chances(pair for one, of_passage in zip(compared, whole, strict=True) for pair in _alone(one, of_passage))
    endings: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for one, of_passage in zip(compared, whole, strict=True):
        for pair, chance in of_passage.items():
            is_sure = chance >= OTHER_TOPIC_ENDED and pair[0] in elsewhere
            for statement, share in _shares(one, pair, chance, alone, is_sure=is_sure):
                endings[statement][pair[0]] = share
    return endings


def capped_if_several(chances: Mapping[_Key, float], message_of: Callable[[_Key], str]) -> dict[_Key, float]:
    """The chances of a passage by what it may end; none is sure if it seems to end statements of several messages.

    In long conversations on one thing all statements share its words, and the reader takes some for outdated. Of one
    message, what ends may seem to end the rest, too: "The desk is dead, no power at all."
    """
    if len({message_of(one) for one, chance in chances.items() if chance >= _SEEMS_ENDED}) <= 1:
        return dict(chances)
    return {pair: min(chance, _SEEMS_ENDED) for pair, chance in chances.items()}


def _compared(found: Extraction, known: Mapping[str, Sequence[str]]) -> Iterator[_Compared]:
    kept, possible = _by_place(found.candidates), _by_place(found.possible)
    for place in {**kept, **possible}:
        of_passage = (*kept[place], *possible[place])
        new = {place[1], *(one.statement for one in of_passage)}
        near = [list(_earlier(one, found.candidates, known)) for one in of_passage]
        earlier = [old for old in nearest_first(near) if old not in new]
        yield _Compared(place[1], kept[place], possible[place], earlier[:MOST_OF_PASSAGE])


def nearest_first(lists: Sequence[Sequence[str]]) -> list[str]:
    """The first of each list, then the second ones, and so on, each once.

    >>> nearest_first([["a", "b"], ["c", "a", "d"]])
    ['a', 'c', 'b', 'd']
    """
    ranked = (one for of_rank in zip_longest(*lists) for one in of_rank if one is not None)
    return list(dict.fromkeys(ranked))


def _by_place(found: Iterable[Candidate]) -> defaultdict[tuple[str, str], list[Candidate]]:
    places: defaultdict[tuple[str, str], list[Candidate]] = defaultdict(list)
    for one in found:
        places[one.place].append(one)
    return places


def _earlier(one: Candidate, told: Sequence[Candidate], known: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """What a new statement may end: the memories near it, and what these messages said on its topic before."""
    before = [
        other.statement
        for other in reversed(told)
        if other.quote.index < one.quote.index
        and other.about.casefold() == one.about.casefold()
        and share_topic(other.statement, one.statement)
    ]
    yield from known[one.statement]
    yield from before[:MOST_COMPARED]


def _alone(one: _Compared, whole: Mapping[Pair, float]) -> Iterator[Pair]:
    """What must be judged statement by statement, as several are found in the passage."""
    if len(one.found) > 1:
        likely = [old for old, text in one.pairs if whole[old, text] >= STILL_HOLDS]
        yield from ((old, new.statement) for old in likely for new in one.found)


def _shares(
    one: _Compared, pair: Pair, chance: float, alone: Mapping[Pair, float], *, is_sure: bool
) -> Iterator[tuple[str, float]]:
    """Each statement of a passage with its part of the passage's chance to end an earlier one."""
    own = {new.statement: min(chance, alone.get((pair[0], new.statement), chance)) for new in one.found}
    if one.kept:
        surest = max((new.statement for new in one.kept), key=lambda statement: own[statement])
        says_nobody = max(own.values()) < STILL_HOLDS
        own[surest] = chance if own[surest] >= STILL_HOLDS or (is_sure and says_nobody) else own[surest]
    yield from own.items()


def _chances(pairs: Iterable[Pair]) -> dict[Pair, float]:
    """The chance of each pair, judged once."""
    compared = list(dict.fromkeys(pairs))
    return dict(zip(compared, ended_chances(compared), strict=True))
