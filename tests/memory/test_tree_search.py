"""Search with intent: sub-queries, rounds in the tree, overviews, abstention, and what happens when a part fails."""

from __future__ import annotations

import json
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.errors import Invalid, NotFound
from apps.engine.memory.search.intent import SubQueryKind
from apps.engine.memory.search.rounds import End
from apps.memory.records.search import SearchQuery
from apps.memory.records.tree_search import CHIT_CHAT, NOTHING_RELEVANT, TreeSearchResult
from apps.memory.services.access_buffer import access_buffer
from apps.memory.services.search.tree_search import memories_search
from tests.conversations.long_conversations import conversation, say
from tests.memory.recall import index, look, make_vectors, remember
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import Behaviour

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def _tree(alice: Actor) -> None:
    """Facts on two subjects, a habit of the team, and what Alice eats."""
    for name, text in (
        ("lease", "The Acme lease ends on 30 June."),
        ("contact", "Acme's contact is Petra Holm."),
        ("invoice", "Acme pays invoices within 45 days."),
    ):
        remember(alice, f"mem://user/entities/acme/{name}", text)
    remember(alice, "mem://user/entities/bluefin/port", "Bluefin ships from Rotterdam.")
    remember(alice, "mem://user/preferences/food", "I'm allergic to peanuts.")
    remember(alice, "mem://agent/patterns/deploys", "We deploy on Tuesdays after the standup.", shared=True)
    make_vectors(alice)


def search(actor: Actor, text: str, *, abstains: bool = True, **filters: object) -> TreeSearchResult:
    query = SearchQuery(text, **filters)  # type: ignore[arg-type]  # its fields
    return memories_search(actor, query=query, abstains=abstains)


def uris(result: TreeSearchResult) -> list[str]:
    return [one.hit.uri for one in result.hits]


@pytest.mark.usefixtures("_tree")
def test_a_search_finds_what_find_finds_and_the_siblings_of_the_best(alice: Actor) -> None:
    found = [hit.uri for hit in look(alice, "Who is our contact at Acme?", top_k=3).hits]
    result = search(alice, "Who is our contact at Acme?", top_k=3, abstains=False)
    assert set(uris(result)) >= {uri for uri in found if "/acme/" in uri}
    assert uris(result)[0] == "mem://user/entities/acme/contact"
    assert all("/entities/acme/" in uri for uri in uris(result))


@pytest.mark.usefixtures("_tree")
def test_two_questions_are_two_sub_queries_that_both_are_answered(alice: Actor) -> None:
    result = search(alice, "What am I allergic to, and how do we deploy?", top_k=2)
    assert [one.kind for one in result.intent.sub_queries] == [SubQueryKind.MEMORY, SubQueryKind.PATTERN]
    assert set(uris(result)) == {"mem://user/preferences/food", "mem://agent/patterns/deploys"}


@pytest.mark.usefixtures("_tree")
def test_the_rounds_and_the_parts_of_every_score_are_told(alice: Actor) -> None:
    result = search(alice, "Which port does Bluefin use?", abstains=False)
    assert result.end in (End.EXHAUSTED, End.STABLE)
    assert [one.number for one in result.rounds] == list(range(1, len(result.rounds) + 1))
    for one in result.hits:
        parts = 0.5 * one.score.similarity + 0.3 * one.score.relevance + 0.2 * one.score.parent_score
        assert one.score.total == pytest.approx(parts, abs=1e-5)
    assert set(result.rounds[-1].best) == {str(one.hit.id) for one in result.hits}
    assert result.rounds[0].directories[0] == "mem://user/entities/bluefin"


@pytest.mark.usefixtures("_tree")
def test_chit_chat_and_questions_about_nothing_known_have_no_results(alice: Actor) -> None:
    assert search(alice, "thanks a lot!").abstained == CHIT_CHAT
    result = search(alice, "How many moons does Jupiter have?", corpus="all")
    assert (result.abstained, result.hits) == (NOTHING_RELEVANT, ())


def test_a_short_memory_is_its_own_overview_and_a_long_one_has_more(alice: Actor) -> None:
    remember(alice, "mem://agent/cases/outage", "# The outage\n\n" + "The cache was full on node seven. " * 400)
    remember(alice, "mem://user/events/boat", "I bought a boat.\n")
    make_vectors(alice)
    found = {one.hit.uri: one for one in search(alice, "What happened in the outage of the cache?").hits}
    outage = found["mem://agent/cases/outage"]
    assert outage.has_more
    assert 0 < len(outage.overview) <= 8_000
    boat = search(alice, "Which boat did I buy?").hits[0]
    assert (boat.overview, boat.has_more) == ("I bought a boat.", False)


@pytest.mark.usefixtures("_tree")
def test_others_find_nothing_of_it(bob: Actor, charlie: Actor) -> None:
    assert "mem://user/preferences/food" not in uris(search(bob, "What am I allergic to?"))
    assert uris(search(charlie, "What am I allergic to?")) == []


@pytest.mark.usefixtures("_tree")
def test_the_memories_in_the_results_count_as_used(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[UUID] = []
    monkeypatch.setattr(access_buffer, "add", lambda workspace_id, ids: used.extend(ids))
    result = search(alice, "Who is our contact at Acme?", top_k=2)
    assert used == [one.hit.id for one in result.hits]


def test_a_search_without_vectors_says_that_it_compared_words_alone(alice: Actor) -> None:
    remember(alice, "mem://user/preferences/tea", "Green tea in the morning.")
    result = search(alice, "Which tea do I drink?")
    assert uris(result) == ["mem://user/preferences/tea"]
    assert result.degraded == ("no_vectors_yet",)


@pytest.mark.usefixtures("_tree")
def test_a_search_out_of_time_has_what_it_found_by_then(alice: Actor) -> None:
    result = memories_search(alice, query=SearchQuery("Who is our contact at Acme?"), deadline_s=0)
    assert result.end is End.DEADLINE
    assert "deadline" in result.degraded
    assert uris(result)[0] == "mem://user/entities/acme/contact"


def test_messages_of_a_conversation_are_searched_with_the_order_of_find(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "I adopted a puppy called Rex.", "How lovely!", "The invoice is due in March.")
    index(alice, talk)
    found = look(alice, "What is my puppy called?", corpus="messages", conversation_id=talk).hits
    searched = search(alice, "What is my puppy called?", corpus="messages", conversation_id=talk).hits
    assert [one.hit.id for one in searched] == [hit.id for hit in found]


def test_a_query_that_makes_no_sense_and_anothers_conversation_are_refused(alice: Actor, bob: Actor) -> None:
    with pytest.raises(Invalid):
        search(alice, " ")
    talk = conversation(alice)
    with pytest.raises(NotFound):
        search(bob, "Who is our contact?", corpus="messages", conversation_id=talk)


@pytest.mark.usefixtures("_tree")
def test_a_model_reads_the_intent_and_sees_the_query_as_data(alice: Actor, provider: ProviderServer) -> None:
    provider.script(Behaviour(text=json.dumps({"sub_queries": [{"kind": "MEMORY", "text": "what I'm allergic to"}]})))
    result = search(alice, "Could I eat that curry?")
    assert [one.text for one in result.intent.sub_queries] == ["what I'm allergic to"]
    assert result.intent.by != "rules"
    assert uris(result)[0] == "mem://user/preferences/food"


@pytest.mark.usefixtures("_tree")
def test_a_model_that_fails_is_replaced_by_the_rules_and_the_reason_is_told(
    alice: Actor, provider: ProviderServer
) -> None:
    provider.usual = Behaviour("status", status=500)
    result = search(alice, "Who is our contact at Acme?")
    assert result.intent.by == "rules"
    assert uris(result)[0] == "mem://user/entities/acme/contact"
    assert result.degraded


@pytest.mark.usefixtures("_tree")
def test_a_memory_that_has_no_vector_yet_is_found_by_its_words(alice: Actor) -> None:
    remember(alice, "mem://user/events/locker", "The locker code is four seven one one.")
    result = search(alice, "locker code", corpus="all")
    assert uris(result)[0] == "mem://user/events/locker"


def test_without_vectors_nothing_is_relevant_that_shares_no_word(alice: Actor) -> None:
    remember(alice, "mem://user/preferences/tea", "Green tea in the morning.")
    assert search(alice, "How many moons does Jupiter have?").abstained == NOTHING_RELEVANT


@pytest.mark.usefixtures("_tree")
def test_a_model_that_finds_nothing_asked_is_replaced_by_the_rules(alice: Actor, provider: ProviderServer) -> None:
    provider.usual = Behaviour(text=json.dumps({"sub_queries": []}))
    result = search(alice, "Who is our contact at Acme?")
    assert result.intent.by == "rules"
    assert result.degraded
    assert uris(result)[0] == "mem://user/entities/acme/contact"
