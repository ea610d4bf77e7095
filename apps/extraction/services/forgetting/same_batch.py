"""Facts that are told and then to be forgotten in messages that are read together."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from apps.engine.extraction.candidate import Candidate, Extraction, ForgetCommand, Refused
from apps.engine.extraction.refusal import Refusal
from apps.engine.language.similarity import stems
from apps.engine.memory.forgetting import SURE_COMMAND, ForgetMatch, surely_meant
from apps.extraction.services.forgetting.search import meant_chances
from apps.llm.errors import ModelError


def without_forgotten(found: Extraction) -> Extraction:
    """Refuse the candidates that a later request means. Call it outside a unit of work."""
    told = (*found.candidates, *found.possible)
    forgotten = {one for command in found.forgets for one in _meant(command, told)}
    if not forgotten:
        return found
    refused = tuple(Refused(one.quote, Refusal.UNWANTED) for one in found.candidates if one in forgotten)
    candidates, possible = (
        tuple(one for one in part if one not in forgotten) for part in (found.candidates, found.possible)
    )
    return replace(found, candidates=candidates, refused=(*found.refused, *refused), possible=possible)


def _meant(command: ForgetCommand, candidates: Collection[Candidate]) -> list[Candidate]:
    earlier = [one for one in candidates if one.quote.index < command.index]
    if not earlier or command.chance < SURE_COMMAND:
        return []
    try:
        chances = meant_chances(command, [one.statement for one in earlier])
    except ModelError as error:
        if error.retryable:
            raise
        return []
    words = stems(command.what)
    judged = [
        ForgetMatch(str(place), chance, bool(words & stems(one.statement)))
        for place, (one, chance) in enumerate(zip(earlier, chances, strict=True))
    ]
    return [earlier[int(one.id)] for one in surely_meant(judged)]
