"""Statements that change something known, which are worth keeping however they are said."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from apps.engine.extraction.candidate import Candidate, Extraction
from apps.engine.memory.relations import NO_LONGER_HOLDS, enough_to_end

Endings = Mapping[str, Mapping[str, float]]
"""For each new statement the chance of each earlier one that it no longer holds."""


def with_changes(found: Extraction, endings: Endings) -> Extraction:
    """Add the possible candidates that surely end a known statement which no other candidate ends.

    Of several that end the same one, the shortest of the surest passage is added. A candidate that surely ends
    something is not doubtful any more.
    """
    kept = [replace(one, is_sure=one.is_sure or _surely_ends(one, endings)) for one in found.candidates]
    ended = {old for one in kept for old in _ended(one, endings)}
    added: list[Candidate] = []
    for one in _surest_first(found.possible, endings):
        if new := _ended(one, endings) - ended:
            added.append(one)
            ended |= new
    in_order = sorted((*kept, *added), key=lambda one: (one.quote.index, one.quote.span.start))
    return replace(found, candidates=tuple(in_order), possible=())


def _surest_first(possible: Sequence[Candidate], endings: Endings) -> list[Candidate]:
    surest: defaultdict[tuple[str, str], float] = defaultdict(float)
    for one in possible:
        surest[one.place] = max(surest[one.place], *endings.get(one.statement, {}).values(), 0.0)
    return sorted(possible, key=lambda one: (-surest[one.place], len(one.quote.text)))


def _ended(one: Candidate, endings: Endings) -> set[str]:
    return {old for old, chance in endings.get(one.statement, {}).items() if chance >= NO_LONGER_HOLDS}


def _surely_ends(one: Candidate, endings: Endings) -> bool:
    chances = endings.get(one.statement, {})
    return any(chance >= enough_to_end(one.statement, old) for old, chance in chances.items())
