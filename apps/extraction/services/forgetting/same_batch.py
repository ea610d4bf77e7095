"""Facts that are told and then to be forgotten in messages that are read together."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from apps.engine.extraction.candidate import Candidate, Extraction, ForgetCommand, Refused
from apps.engine.extraction.refusal import Refusal
from apps.engine.memory.forgetting import SURE_COMMAND, ForgetMatch
from apps.llm.errors import ModelError
from apps.llm.relevance.installed import relevance_chances


def without_forgotten(found: Extraction) -> Extraction:
    """Refuse the candidates that a later request means. Call it outside a unit of work."""
    forgotten = {one for command in found.forgets for one in _meant(command, found.candidates)}
    if not forgotten:
        return found
    refused = tuple(Refused(one.quote, Refusal.UNWANTED) for one in found.candidates if one in forgotten)
    kept = tuple(one for one in found.candidates if one not in forgotten)
    return replace(found, candidates=kept, refused=(*found.refused, *refused))


def _meant(command: ForgetCommand, candidates: Collection[Candidate]) -> list[Candidate]:
    earlier = [one for one in candidates if one.quote.index < command.index]
    if not earlier or command.chance < SURE_COMMAND:
        return []
    try:
        chances = relevance_chances(command.what, [one.statement for one in earlier])
    except ModelError:
        return []
    judged = zip(earlier, chances, strict=True)
    return [one for one, chance in judged if ForgetMatch(one.statement, chance, shares_words=True).is_likely]
