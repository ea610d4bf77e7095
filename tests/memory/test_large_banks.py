"""Search of a bank with more vectors than are compared as a whole: their signs choose the candidates."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

import pytest

from apps.accounts.actors import Actor
from apps.common.ids import uuid7
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation
from apps.engine.memory.addresses import Address
from apps.engine.memory.ranking_features import LIST_WEIGHTS, WEIGHTS
from apps.llm.embedding.model_ids import WORDLLAMA
from apps.llm.embedding.wordllama import WordLlamaEmbedder
from apps.memory.models import Embedding, EmbeddingSpace
from apps.memory.records.search import QueryVectors, SearchQuery
from apps.memory.selectors.search import statement
from apps.memory.selectors.search.find import find
from apps.memory.selectors.search.scope import banks_for
from apps.memory.services.bulk.create import nodes_create_bulk
from apps.memory.services.tree.node_drafts import NodeDraft
from bench._find.corpus import memory_date, memory_text, question_text
from tests.conversations.long_conversations import conversation
from tests.memory.recall import make_vectors, remember

pytestmark = pytest.mark.django_db

MEMORIES, ASKED = 600, 20


@pytest.fixture
def memories(alice: Actor, bob: Actor) -> None:
    """Alice's many memories, half of them events, and one of Bob's that answers every question."""
    drafts = [
        NodeDraft(
            Address(f"mem://user/{'events' if number % 2 else 'preferences'}/m-{number}"),
            memory_text(number),
            occurred_at=memory_date(number),
        )
        for number in range(MEMORIES)
    ]
    with workspace(alice.workspace_id):
        nodes_create_bulk(alice, drafts=drafts)
    remember(bob, "mem://user/events/all", " ".join(question_text(number) for number in range(ASKED)))
    make_vectors(alice)


def compare_signs(monkeypatch: pytest.MonkeyPatch, *, rescored: int = 200) -> None:
    """Compare signs first among more than fifty vectors, and so many as a whole."""
    monkeypatch.setattr(statement, "MOST_EXACT", 50)
    monkeypatch.setattr(statement, "SAMPLED", 2 * rescored)
    monkeypatch.setattr(statement, "RESCORED", rescored)
    for weights in (WEIGHTS, LIST_WEIGHTS):
        monkeypatch.setitem(statement.STATEMENTS, weights, statement._statement(weights))


def found(actor: Actor, **filters: object) -> list[set[str]]:
    """The ten best of each question, by its vector alone."""
    vectors = WordLlamaEmbedder().embed([question_text(number) for number in range(ASKED)])
    return [by_vector(actor, QueryVectors(WORDLLAMA, "?!", {"?!": vector}), **filters) for vector in vectors]


def by_vector(actor: Actor, vectors: QueryVectors, **filters: object) -> set[str]:
    query = SearchQuery(vectors.text, vectors=vectors, **filters)  # type: ignore[arg-type]  # its fields
    with workspace(actor.workspace_id):
        return {hit.uri for hit in find(actor, query).hits if hit.uri}


def recall(found: Sequence[set[str]], exact: Sequence[set[str]]) -> float:
    return sum(len(one & other) for one, other in zip(found, exact, strict=True)) / sum(map(len, exact))


@pytest.mark.parametrize(
    "filters",
    [
        {},
        {"category": "events"},
        {"since": memory_date(200), "until": memory_date(500)},
        {"as_of": memory_date(400)},
        {"corpus": "all"},
    ],
    ids=["memories", "category", "dates", "as of", "with messages"],
)
def test_a_large_bank_gives_what_an_exact_search_gives(
    alice: Actor, memories: None, monkeypatch: pytest.MonkeyPatch, filters: dict[str, object]
) -> None:
    exact = found(alice, **filters)
    compare_signs(monkeypatch)
    assert recall(found(alice, **filters), exact) >= 0.98
    # So few candidates by signs are not enough.
    compare_signs(monkeypatch, rescored=1)
    assert recall(found(alice, **filters), exact) < 0.9


def test_the_signs_of_others_choose_nothing(
    alice: Actor, bob: Actor, charlie: Actor, memories: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare_signs(monkeypatch)
    assert "mem://user/events/all" not in set().union(*found(alice))
    assert set().union(*found(bob)) == {"mem://user/events/all"}
    assert set().union(*found(charlie)) == set()


@pytest.mark.parametrize("dimension", [3, 384, 1_536, 4_000])
def test_vectors_of_any_dimension_have_their_signs_in_the_index(alice: Actor, memories: None, dimension: int) -> None:
    vector = [(-1.0) ** number for number in range(dimension)]
    with workspace(alice.workspace_id):
        space = EmbeddingSpace.objects.get()
        space.pk, space.model, space.state = uuid7(), f"ollama/m@{dimension}", "retired"
        space.save(force_insert=True)
        row = Embedding.objects.create(bank=uuid4(), space=space, passage_id=uuid7(), vector=vector)
        row.refresh_from_db()
    assert row.signs == ("10" * dimension)[:dimension]


def test_past_chats_are_searched_whatever_their_length(alice: Actor) -> None:
    chats = {conversation(alice) for _ in range(3)}
    with workspace(alice.workspace_id):
        Conversation.objects.update(message_count=60_000)
        assert set(banks_for(alice, SearchQuery("tea", corpus="messages")).conversations) == chats
