"""Pairs of statements that the network learns from what no longer holds, in groups that are read together.

All pairs in which the later statement ends the earlier one, and some of the others, which are ten times as many.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence

from studies.reading.folds import FOLDS
from studies.reading.material import Pair, all_writers
from studies.reading.pair_score import is_ending
from studies.reading.pairs import pairs_of, written_pairs

UNSEEN = FOLDS[0]
"""Writers whom the product's reader does not know either."""
WRITTEN, DERIVED = 2.0, 0.7
"""So many pairs that both hold for each that ends: of those written as pairs, and of those made of messages."""
GROUP = 6


def relation_groups(seed: int, unseen: Collection[str] = UNSEEN) -> list[Sequence[Pair]]:
    chance = random.Random(seed)  # noqa: S311  # nothing secret is drawn
    found = [writer_pairs(writer, chance) for writer in all_writers() if writer not in unseen]
    return [group for pairs in found for group in groups_of(pairs)]


def writer_pairs(writer: str, chance: random.Random) -> list[Pair]:
    """The pairs of a writer that are trained on, those of similar length together."""
    written = written_pairs(writer)
    known = {pair.id for pair in written}
    derived = [pair for pair in pairs_of(writer) if pair.id not in known]
    ending = [pair for pair in (*written, *derived) if is_ending(pair)]
    holding = drawn(written, WRITTEN * len(ending), chance) + drawn(derived, DERIVED * len(ending), chance)
    return sorted([*ending, *holding], key=lambda pair: len(pair.old) + len(pair.new))


def drawn(pairs: Sequence[Pair], most: float, chance: random.Random) -> list[Pair]:
    holding = [pair for pair in pairs if not is_ending(pair)]
    return chance.sample(holding, min(round(most), len(holding)))


def groups_of(pairs: Sequence[Pair]) -> Iterator[Sequence[Pair]]:
    return (pairs[start : start + GROUP] for start in range(0, len(pairs), GROUP))
