"""The search statement returns the results of an exhaustive search, for any query."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from random import Random
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import Category
from apps.engine.memory.trust import Trust
from apps.llm.embedding.wordllama import WordLlamaEmbedder
from apps.memory.models import Embedding, MemNode, Passage
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search.find import find
from apps.memory.selectors.search.query_vectors import with_vector
from apps.memory.services.bulk.create import nodes_create_bulk
from apps.memory.services.tree.node_drafts import NodeDraft
from tests.conversations.long_conversations import conversation, say
from tests.memory.exhaustive_search import texts_of
from tests.memory.recall import at, index, make_vectors
from tests.memory.search_comparison import asked_by, check_found

pytestmark = pytest.mark.django_db

WORDS = (
    *("boat", "garden", "invoice", "sail", "paint", "repair", "budget", "friday"),
    *("lisbon", "engine", "rope", "harbour", "ticket", "museum", "tea", "bread"),
)
TALKERS = ("Ann", "Melanie", "")
PLACES = ("events", "preferences", "entities/acme-api", "entities/boat")


def sentence(chance: Random) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randint(1, 12))) + chance.choice((".", ".", "?"))


@pytest.fixture
def talk(alice: Actor, bob: Actor) -> UUID:
    """Memories of Alice, Bob and the team, more than the candidates of a word search, and a conversation."""
    chance = Random(7)
    for actor, shared in ((alice, False), (bob, False), (alice, True)):
        _remember(actor, shared, chance)
    talk = conversation(alice)
    say(alice, talk, *(sentence(chance) for _ in range(230)))
    index(alice, talk)
    make_vectors(alice)
    with workspace(alice.workspace_id):
        _age(alice, talk, chance)
    return talk


def _remember(actor: Actor, shared: bool, chance: Random) -> None:
    root = "mem://agent/cases" if shared else "mem://user"
    drafts = [
        NodeDraft(
            Address(f"{root}/{'' if shared else chance.choice(PLACES) + '/'}{chance.choice(WORDS)}-{number}"),
            sentence(chance),
            tags=chance.sample(("a", "b"), chance.randint(0, 2)),
            occurred_at=at("2025-02-20") + timedelta(days=chance.randint(0, 800)),
            shared=shared,
        )
        for number in range(150)
    ]
    with workspace(actor.workspace_id):
        assert {result.state for result in nodes_create_bulk(actor, drafts=drafts)} == {"created"}


def _age(alice: Actor, talk: UUID, chance: Random) -> None:
    """Vary trust, strength, sessions, speakers and tools, and leave some passages without a vector."""
    for row in MemNode.objects.filter(node_type="leaf"):
        row.trust, row.base_relevance = chance.choice(list(Trust)).value, chance.uniform(0.2, 1)
        row.last_access = row.occurred_at if chance.random() < 0.5 else None
        row.save()
    for passage in Passage.objects.filter(bank=talk):
        passage.session, passage.actor = (passage.place or 0) // 40, chance.choice(TALKERS).lower() or passage.actor
        passage.occurred_at = at("2025-01-10") + timedelta(days=passage.place or 0)
        passage.tool_text = chance.choice(("", "", "What a tool returned."))
        passage.save()
    without = chance.sample(list(Embedding.objects.values_list("pk", flat=True)), 60)
    Embedding.objects.filter(pk__in=without).delete()


times = st.none() | st.integers(0, 800).map(lambda days: at("2025-02-20") + timedelta(days=days))
queries = st.lists(
    st.sampled_from([*WORDS, "I", "Mel", "Ann's", "acme api", "in May", "2026", "on 3 March", "February 30"]),
    min_size=1,
    max_size=8,
).map(" ".join)
wishes = st.builds(
    SearchQuery,
    queries,
    top_k=st.sampled_from((1, 10, 200)),
    threshold=st.sampled_from((0.0, 0.0, 0.25, 0.6)),
    corpus=st.sampled_from(("memories", "messages", "all")),
    category=st.none() | st.sampled_from([category.value for category in Category]),
    within=st.none() | st.sampled_from([Address("mem://user/entities/boat"), Address("mem://agent/cases")]),
    trust_at_least=st.none() | st.sampled_from(Trust),
    since=times,
    until=times,
    tags=st.sampled_from(((), (), ("a",), ("a", "b"))),
    owner=st.sampled_from((None, None, "mine", "team")),
)


def test_the_statement_finds_what_a_plain_look_finds(alice: Actor, talk: UUID) -> None:
    every = texts_of(alice)

    # Each example searches hundreds of texts: 50 in the normal run, 2,000 in the long one.
    @settings(suppress_health_check=list(HealthCheck), max_examples=settings().max_examples)
    @given(wishes)
    def finds(query: SearchQuery) -> None:
        if query.corpus == "messages":
            query = replace(query, category=None, within=None, trust_at_least=None, tags=(), owner=None)
        query = with_vector(alice, query)
        with workspace(alice.workspace_id):
            found = find(alice, query)
        asked = asked_by(alice, query)
        (vector,) = WordLlamaEmbedder().embed([asked.question.text])
        check_found(found, asked, every, vector)

    finds()
