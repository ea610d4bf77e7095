"""A reference implementation of search: it scores every passage in Python, without an index or a statement."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from uuid import UUID

from django.db import connection

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.language.search_words.analysis import STOP, search_words
from apps.engine.memory.addresses import Address
from apps.engine.memory.decay import relevance_at
from apps.engine.memory.ranking_features import WEIGHTS, Question
from apps.engine.memory.trust import Trust
from apps.engine.policy import Policy
from apps.memory.models import Embedding, MemNode, Passage
from apps.memory.records.search import SearchQuery
from apps.memory.records.tree import strength_of

MOST = 200


@dataclass
class Text:
    """A passage with all inputs of its score."""

    id: UUID
    thing: UUID | None
    place: int | None
    together: tuple[UUID, int]
    occurred_at: datetime
    words: frozenset[str]
    count: int
    is_question: bool
    length: int
    actor: str
    vector: list[float] | None
    node: MemNode | None
    is_of_tool: bool = False
    is_memory: bool = False
    weight: float = 0.0
    lexical: float = 0.0
    similarity: float = 0.0
    base: float = 0.0
    score: float = 0.0


def exhaustive_search(
    every: Sequence[Text], query: SearchQuery, question: Question, vector: Sequence[float] | None, now: float
) -> list[tuple[UUID | None, float]]:
    """Return ids and scores, best first. Without a vector of the question only words are compared."""
    texts = [replace(text, vector=text.vector if vector else None) for text in every if matches(text, query)]
    actor = question.actor({text.actor for text in every if text.node}) or ""
    chosen = _candidates(texts, _asked(question), vector, query.top_k)
    highest = max((text.weight for text in chosen), default=0.0)
    for text in chosen:
        text.lexical = text.weight / highest if highest else 0.0
        text.base = text.lexical + 2 * text.similarity + 0.5 * (bool(actor) and text.actor == actor)
    dates = _dates(question, texts)
    for text in chosen:
        beside = [other for other in chosen if other.together == text.together]
        text.score = _score(text, beside, dates, is_about=bool(actor) and text.actor == actor)
        if text.node and text.score > 0:
            text.score *= relevance_at(strength_of(text.node), now, Policy())
    kept = [text for text in chosen if not query.threshold or _is_near(text, query.threshold)]
    kept.sort(key=lambda text: (text.score, text.occurred_at, text.id.int), reverse=True)
    of_tools = [text for text in kept if text.is_of_tool]
    last = of_tools[(query.top_k + 1) // 2 :]
    chosen = [*(text for text in kept if text not in last), *last][: query.top_k]
    return [(text.thing, text.score) for text in kept if text in chosen]


def _is_near(text: Text, threshold: float) -> bool:
    """Return whether the passage is similar enough; one without a vector is compared by its words."""
    return text.lexical > 0 if text.vector is None else text.similarity >= threshold


def _candidates(texts: list[Text], asked: set[str], vector: Sequence[float] | None, top_k: int) -> list[Text]:
    mean = max(1.0, sum(text.count for text in texts) / len(texts)) if texts else 1.0
    having = Counter(word for text in texts for word in text.words & asked)
    for text in texts:
        for word in text.words & asked:
            rare = math.log(1 + (len(texts) - having[word] + 0.5) / (having[word] + 0.5))
            text.weight += rare * 1.9 / (1 + 0.9 * (0.5 + 0.5 * text.count / mean))
        if vector and text.vector is not None:
            text.similarity = sum(mine * theirs for mine, theirs in zip(text.vector, vector, strict=True))
    by_words = sorted((text for text in texts if text.weight), key=lambda text: (-text.weight, text.id.int))[:MOST]
    embedded = [text for text in texts if text.vector is not None]
    by_meaning = sorted(embedded, key=lambda text: (-text.similarity, text.id.int))[:MOST]
    newest = sorted(texts, key=lambda text: (text.occurred_at, text.id.int), reverse=True)[:top_k]
    chosen = {text.id: text for text in (*by_words, *by_meaning, *newest)}
    lexical = {text.id for text in by_words}
    for text in chosen.values():
        text.weight = text.weight if text.id in lexical else 0.0
    return list(chosen.values())


def _score(text: Text, beside: Sequence[Text], dates: tuple[date, date] | None, *, is_about: bool) -> float:
    """Return the score before the relevance is applied."""
    is_memory = text.is_memory
    signs = (WEIGHTS.memory_lexical if is_memory else WEIGHTS.lexical) * text.lexical
    signs += (WEIGHTS.memory_similarity if is_memory else WEIGHTS.similarity) * text.similarity
    signs += (WEIGHTS.memory_actor if is_memory else WEIGHTS.actor) * is_about
    signs += WEIGHTS.date * _nearness(text, dates)
    signs += WEIGHTS.short_question * (text.is_question and text.length < 120)
    at = {other.place: other for other in beside if other.place is not None and not other.is_of_tool}
    if is_memory:
        return signs
    if text.place is None or text.is_of_tool:
        signs += WEIGHTS.window * text.base
    else:
        signs += WEIGHTS.window * max(other.base for place, other in at.items() if abs(place - text.place) <= 4)
    return signs


def _nearness(text: Text, dates: tuple[date, date] | None) -> float:
    if dates is None:
        return 0.0
    day = text.occurred_at.astimezone(UTC).date()
    if day < dates[0]:
        return math.exp(-2 * (dates[0] - day).days / 15)
    return math.exp(-(day - dates[1]).days / 15) if day > dates[1] else 1.0


def _dates(question: Question, texts: Sequence[Text]) -> tuple[date, date] | None:
    named = question.named
    if named is None:
        return None
    if named.first and named.last:
        return named.first, named.last
    days = [text.occurred_at.astimezone(UTC).date() for text in texts]
    years = Counter(day.year for day in days if day.month == named.month)
    if not years:
        return None
    year = max(years, key=lambda one: (years[one], one))
    of_month = [date(year, named.month or 1, number) for number in range(1, 29)]
    last = of_month[-1]
    while (later := date.fromordinal(last.toordinal() + 1)).month == last.month:
        last = later
    if named.day is None:
        return of_month[0], last
    day = min(last, date.fromordinal(of_month[0].toordinal() + named.day - 1))
    return day, day


def matches(text: Text, query: SearchQuery) -> bool:
    node = text.node
    if query.since and text.occurred_at < query.since:
        return False
    if query.until and text.occurred_at > query.until:
        return False
    if not query.of_memories:
        return True
    ranks = {trust.value: rank for rank, trust in enumerate(Trust)}
    return node is not None and all(
        (
            not query.category or node.category == query.category,
            not query.within or Address(node.uri).is_within(query.within),
            not query.trust_at_least or ranks[node.trust] <= ranks[query.trust_at_least],
            set(query.tags) <= set(node.tags),
        )
    )


def _asked(question: Question) -> set[str]:
    """Return PostgreSQL's lexemes of the question, whose stemmers are not reimplemented here."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tsvector_to_array(stemmed_words(%s))", [search_words(question.text)])
        found = set(cursor.fetchone()[0])
    telling = {term for term in found if not term.startswith(STOP)}
    return telling or (found if len(found) > 1 else set())


def texts_of(actor: Actor, space_id: UUID | None = None) -> dict[UUID, list[Text]]:
    """Return all passages of the workspace by bank, with their vectors in the given or the serving space."""
    found: dict[UUID, list[Text]] = defaultdict(list)
    for row, text in _texts(actor, space_id):
        found[row.bank].append(text)
    return found


def _texts(actor: Actor, space_id: UUID | None) -> Iterator[tuple[Passage, Text]]:
    with workspace(actor.workspace_id), connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, tsvector_to_array(words) FROM mem_passages WHERE workspace_id = %s", [actor.workspace_id]
        )
        words = dict(cursor.fetchall())
        in_space = {"space_id": space_id} if space_id else {"space__state": "serving"}
        vectors = {row.passage_id: list(row.vector) for row in Embedding.objects.filter(**in_space)}
        rows = list(Passage.objects.select_related("node").defer("words"))
    for row in rows:
        yield (
            row,
            Text(
                id=row.id,
                thing=row.node_id or row.message_id,
                place=row.place,
                together=(row.series, row.session),
                occurred_at=row.occurred_at,
                words=frozenset(words[row.id]),
                count=row.word_count,
                is_question=row.is_question,
                length=row.char_count,
                actor=row.actor,
                vector=vectors.get(row.id),
                node=row.node,
                is_of_tool=bool(row.tool_text),
                is_memory=row.message_id is None,
            ),
        )
