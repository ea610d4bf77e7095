"""Finding memories and messages by words and by meaning, in one statement and without a model.

Everybody finds what they may read and nothing else. Where no vectors are to be had, words alone decide, and the answer
says so.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone
from pgvector import HalfVector

from apps.accounts.actors import Actor
from apps.common.errors import Invalid
from apps.common.kept import kept
from apps.common.tenancy import current_scope, current_workspace_id, plans_kept, workspace
from apps.engine.categories import RELATIONAL_PROFILE, Category
from apps.engine.retrieval import CANDIDATES, Question
from apps.engine.trust import Trust, lowest
from apps.llm.embedding.base import Embedder
from apps.llm.embedding.choosing import embedder_named, is_local
from apps.llm.errors import ModelError
from apps.memory.models import Passage
from apps.memory.records.found import CORPORA, OWNERS, FindWish, Found, Hit, QueryVector, ScoreParts, SpaceRecord
from apps.memory.selectors.find_banks import Banks, banks_for, question_for
from apps.memory.selectors.find_basis import Basis, basis_read, basis_remembered
from apps.memory.selectors.find_statement import statement

if TYPE_CHECKING:
    from apps.llm.embedding.base import Vector

MOST_FOUND = CANDIDATES
LONGEST_QUERY = 20_000
_CUT = "…"
# Which column of each row says whom the question was taken to be about.
_WHOM = 6
# Why only words were compared.
NO_SPACE, NO_MEANING, NOT_MADE = "no_vectors_yet", "nothing_to_compare", "vector_not_made"


def find(actor: Actor, wish: FindWish) -> Found:
    """The best for the question, at most `top_k`; so many come wherever so many match. In a unit of work.

    A vector that only a provider makes must be in the wish already: see `with_vector`. What the search goes by is
    remembered, and read anew where nothing is found by it.
    """
    check_wish(wish)
    banks = banks_for(actor, wish)
    if not banks.every:
        return Found((), by_meaning=False, because=NO_MEANING)
    question = question_for(actor, wish, banks)
    basis = basis_remembered(actor.workspace_id) or basis_read()
    found = _found(wish, banks, question, basis)
    while not found.hits and (now := basis_read()) != basis:
        basis, found = now, _found(wish, banks, question, now)
    return found


def _found(wish: FindWish, banks: Banks, question: Question, basis: Basis) -> Found:
    """Nothing where the basis does not hold."""
    meaning, because = _meaning(wish, question, basis.space)
    is_filed = not basis.filed.isdisjoint(banks.every)
    text = statement(wish, question.named, by_meaning=bool(meaning), in_talks=bool(banks.talks), is_filed=is_filed)
    plans_kept()
    rows = _rows(text, _values(wish, banks, question, basis) | meaning)
    return Found(tuple(map(_hit, rows)), bool(meaning), because, rows[0][_WHOM] or None if rows else None)


def memories_are_there(actor: Actor) -> bool:
    """Whether there is any memory that the actor could find."""
    return bool(_any_in([actor.person_id, actor.workspace_id]))


@kept
def _any_in(banks: list[UUID]) -> QuerySet[Passage, UUID]:
    return Passage.objects.filter(bank__in=banks).values_list("bank", flat=True)[:1]


def with_vector(actor: Actor, wish: FindWish) -> FindWish:
    """The wish with the vector of its question, where a provider makes it. Outside of a unit of work.

    Where the provider fails the wish stays as it is, and words alone decide.
    """
    check_wish(wish)
    known = basis_remembered(actor.workspace_id)
    if known is not None and known.space is not None and is_local(known.space.model):
        return wish
    with workspace(actor.workspace_id):
        space = basis_read().space
        embedder = _embedder(space)
        if space is None or embedder is None or embedder.is_local:
            return wish
        question = question_for(actor, wish, banks_for(actor, wish))
    try:
        (values,) = embedder.embed([question.text])
    except ModelError:
        return wish
    return replace(wish, vector=QueryVector(space.model, values))


def check_wish(wish: FindWish) -> None:
    """Refuses what makes no sense."""
    if not wish.query.strip() or len(wish.query) > LONGEST_QUERY or "\0" in wish.query:
        raise Invalid(f"Say what to look for, in at most {LONGEST_QUERY:,} characters.", code="bad_query")
    if not 1 <= wish.top_k <= MOST_FOUND:
        raise Invalid(f"Ask for 1 to {MOST_FOUND} results.", code="bad_top_k")
    if not (math.isfinite(wish.threshold) and 0 <= wish.threshold <= 1):
        raise Invalid("The threshold is a similarity from 0 to 1.", code="bad_threshold")
    if wish.corpus not in CORPORA:
        raise Invalid(f"Look among one of {', '.join(CORPORA)}.", code="bad_corpus")
    if wish.category is not None and wish.category not in set(Category):
        raise Invalid(f"The category is one of {', '.join(Category)}.", code="bad_category")
    if wish.owner is not None and wish.owner not in OWNERS:
        raise Invalid(f"The owner is one of {', '.join(OWNERS)}.", code="bad_owner")
    if wish.corpus == "messages" and wish.of_memories:
        raise Invalid("Messages have no category, address, trust, tags or owner.", code="filters_of_memories")


def _embedder(space: SpaceRecord | None) -> Embedder | None:
    """The one that made the space's vectors, if it can be had."""
    if space is None:
        return None
    try:
        return embedder_named(space.model, workspace_id=current_workspace_id())
    except ModelError:
        return None


def _meaning(wish: FindWish, question: Question, space: SpaceRecord | None) -> tuple[dict[str, Any], str]:
    """The question's vector in the space that answers; or nothing, and why."""
    if space is None:
        return {}, NO_SPACE
    vector = _vector(wish, question, space)
    if vector is None:
        return {}, NOT_MADE
    return ({"vector": HalfVector(vector)}, "") if vector.any() else ({}, NO_MEANING)


def _vector(wish: FindWish, question: Question, space: SpaceRecord) -> Vector | None:
    if wish.vector is not None and wish.vector.model == space.model:
        return wish.vector.values
    embedder = _embedder(space)
    if embedder is None or not embedder.is_local:
        return None
    (vector,) = embedder.embed([question.text])
    return vector


def _values(wish: FindWish, banks: Banks, question: Question, basis: Basis) -> dict[str, Any]:
    policy, named, scope = basis.policy, question.named, current_scope()
    return {
        "workspace": scope.workspace_id,
        "plans": scope.plans,
        **basis.values,
        "banks": banks.every,
        "memories": list(banks.memories),
        "people": list(question.people),
        "phrases": list(question.phrases),
        "text": f"{question.text} {' '.join(question.words)}",
        "top_k": wish.top_k,
        "threshold": wish.threshold,
        "month": named.month if named else None,
        "day": named.day if named else None,
        "first": named.first if named else None,
        "last": named.last if named else None,
        "now": timezone.now().timestamp(),
        "floor": policy.relevance_floor_percent / 100,
        "half_life": policy.memory_half_life_days,
        "exempt": RELATIONAL_PROFILE.text,
        **_bounds(wish),
    }


def _bounds(wish: FindWish) -> dict[str, Any]:
    """What the wish is bounded by."""
    first, end = wish.within.descendant_range if wish.within else ("", "")
    least = wish.trust_at_least
    return {
        "category": wish.category,
        "within": wish.within.text if wish.within else "",
        "within_first": first,
        "within_end": end,
        "trusts": [trust.value for trust in Trust if least and lowest((trust, least)) is least],
        "tags": list(wish.tags),
        "since": wish.since,
        "until": wish.until,
    }


def _rows(text: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(text, values)
        return cast(list[tuple[Any, ...]], cursor.fetchall())


def _hit(row: tuple[Any, ...]) -> Hit:
    """A row as the statement tells it, of a memory or of a message."""
    (node_id, message_id, score, similarity, relevance, occurred_at, _, parts, *told, snippet, is_cut) = row
    uri, abstract, category, trust, tags, owner_id, version, *said = told
    snippet = " ".join(snippet.split())
    hit = partial(
        Hit,
        id=node_id or message_id,
        score=score,
        similarity=similarity,
        relevance=float(relevance),
        snippet=_CUT + snippet if is_cut else snippet,
        occurred_at=occurred_at,
        parts=ScoreParts(*parts) if parts else None,
    )
    if node_id is None:
        conversation_id, index, role, name = said
        return hit("message", conversation_id=conversation_id, message_id=message_id, index=index, role=role, name=name)
    return hit(
        "memory",
        uri=uri,
        abstract=abstract,
        category=category,
        trust=trust,
        tags=tuple(tags),
        owner_id=owner_id,
        version=version,
    )
