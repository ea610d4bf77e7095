"""Counts of how the reader judges what a later statement does to an earlier one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.engine.memory.relations import ENDS, MAY_END
from apps.engine.reading.labels import ENDING, RELATIONS
from studies.reading.material import Pair
from studies.reading.score import share


def pair_numbers(pairs: Sequence[Pair], chances: Sequence[Sequence[float]]) -> Mapping[str, float]:
    """How many of the earlier statements that end are replaced or asked about, and how many of the others.

    `ends_precision` is the share of what ends among what is replaced.
    """
    ended = [(pair.relation in RELATIONS[:ENDING], sum(one[:ENDING])) for pair, one in zip(pairs, chances, strict=True)]
    replaced = [is_end for is_end, chance in ended if chance >= ENDS]
    asked = [is_end for is_end, chance in ended if MAY_END <= chance < ENDS]
    ends = sum(is_end for is_end, _ in ended)
    return {
        "pairs": len(ended),
        "ends_precision": share(sum(replaced), len(replaced)),
        "ends_recall": share(sum(replaced), ends),
        "ends_asked": share(sum(asked), ends),
        "wrongly_ended": share(len(replaced) - sum(replaced), len(ended) - ends),
        "wrongly_asked": share(len(asked) - sum(asked), len(ended) - ends),
    }
