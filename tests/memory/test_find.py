"""Search for memories and messages by words and meaning, limited to readable ones."""

from __future__ import annotations

from dataclasses import astuple, replace

import pytest
from django.db import connection

from apps.accounts.actors import Actor
from apps.common.errors import Invalid, NotFound
from apps.common.tenancy import workspace
from apps.engine.memory.ranking_features import WEIGHTS
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search.find import find
from apps.memory.selectors.search.query_vectors import with_vector
from apps.memory.services.search.find import memories_find
from tests.conversations.long_conversations import conversation, say
from tests.memory.recall import at, found_uris, index, look, make_vectors, remember
from tests.statements import recorded_statements, searches

pytestmark = pytest.mark.django_db


def test_words_find_a_memory_before_it_has_a_vector(alice: Actor) -> None:
    remember(alice, "mem://user/events/deploy", "We deployed the booking service on Friday.")
    remember(alice, "mem://user/preferences/tea", "Green tea in the morning.")
    found = look(alice, "Which tea do I drink?")
    assert found.hits[0].uri == "mem://user/preferences/tea"
    assert (found.by_meaning, found.reason, len(found.hits)) == (False, "no_vectors_yet", 2)


def test_meaning_finds_what_shares_no_word(alice: Actor) -> None:
    remember(alice, "mem://user/events/trip", "We flew to Lisbon for a vacation.")
    remember(alice, "mem://user/preferences/editor", "Vim with a dark theme.")
    make_vectors(alice)
    found = look(alice, "holiday travel abroad")
    assert found.by_meaning
    assert found.hits[0].uri == "mem://user/events/trip"
    assert found.hits[0].similarity > found.hits[1].similarity


def test_a_threshold_asks_for_the_words_of_what_has_no_vector(alice: Actor) -> None:
    remember(alice, "mem://user/preferences/rome", "I like coffee in Rome.")
    assert found_uris(alice, "coffee", threshold=0.9) == ["mem://user/preferences/rome"]
    assert found_uris(alice, "zeppelin", threshold=0.1) == []
    make_vectors(alice)
    remember(alice, "mem://user/preferences/paris", "I like coffee in Paris.")
    remember(alice, "mem://user/events/tax", "Tax is due in May.")
    assert found_uris(alice, "coffee", threshold=0.9) == ["mem://user/preferences/paris"]
    assert set(found_uris(alice, "coffee", threshold=0.1)) == {
        *("mem://user/preferences/rome", "mem://user/preferences/paris")
    }
    assert len(found_uris(alice, "coffee")) == 3


def test_a_question_for_several_things_is_answered_from_several_days(alice: Actor) -> None:
    read = "I read the book about tea."
    for name, text, day in (
        ("a", read, "2026-03-01"),
        ("b", read, "2026-03-01"),
        ("c", f"{read} Twice.", "2026-03-09"),
    ):
        remember(alice, f"mem://user/events/{name}", text, occurred_at=at(f"{day}T09:00:00Z"))
    several, one = (look(alice, f"{words} read about tea?", top_k=2) for words in ("Which books have I", "When did I"))
    assert several.for_several and not one.for_several
    assert len({hit.occurred_at.date() for hit in several.hits}) == 2 and len(several.hits) == 2


def test_a_date_relative_to_an_event_is_that_of_the_event(alice: Actor) -> None:
    for name, text, day in (
        ("move", "The move to Porto: all boxes are there.", "2026-03-20"),
        ("early", "We bought a lamp.", "2026-01-02"),
        ("late", "We bought a lamp.", "2026-03-06"),
    ):
        remember(alice, f"mem://user/events/{name}", text, occurred_at=at(f"{day}T09:00:00Z"))
    for when, name in (("two weeks before the move", "late"), ("three months before the move", "early")):
        found = found_uris(alice, f"Which lamp did we buy {when}?", top_k=1)
        assert found == [f"mem://user/events/{name}"], when
    assert len(found_uris(alice, "What did we buy two weeks before the zeppelin came?")) == 3


def test_the_event_that_a_date_is_relative_to_is_embedded_beforehand_too(alice: Actor) -> None:
    remember(alice, "mem://user/events/move", "The move to Porto: all boxes are there.")
    make_vectors(alice)
    asked = "Which lamp did we buy two weeks before the move?"
    query = with_vector(alice, SearchQuery(asked))
    assert query.vectors is not None
    assert set(query.vectors.values) == {asked, "the move", "Which lamp did we buy ?"}
    with workspace(alice.workspace_id), recorded_statements() as statements:
        assert find(alice, query).by_meaning
    assert searches(statements) == 2


def test_a_search_reads_its_configuration_once_and_nothing_else_beside(alice: Actor) -> None:
    remember(alice, "mem://user/preferences/tea", "Green tea in the morning.")
    make_vectors(alice)
    with recorded_statements() as statements:
        assert memories_find(alice, query=SearchQuery("Which tea?")).by_meaning
    reads = [sql for sql in statements if "set_config" not in sql and "SAVEPOINT" not in sql]
    assert (searches(reads), len(reads)) == (1, 2)


def test_the_embedding_of_another_model_is_not_compared(alice: Actor) -> None:
    remember(alice, "mem://user/preferences/tea", "Green tea in the morning.")
    make_vectors(alice)
    query = with_vector(alice, SearchQuery("Which tea?"))
    assert query.vectors is not None
    for vectors in (None, replace(query.vectors, model="another-8")):
        with workspace(alice.workspace_id):
            found = find(alice, replace(query, vectors=vectors))
        assert (found.by_meaning, found.reason, len(found.hits)) == (False, "vector_not_made", 1)


def test_one_finds_what_is_ones_own_or_the_teams_alone(alice: Actor, bob: Actor) -> None:
    remember(alice, "mem://agent/patterns/tea", "Tea at four.")
    remember(alice, "mem://agent/cases/tea", "Tea was spilled.", shared=True)
    remember(bob, "mem://user/preferences/tea", "Tea of my own.")
    talk = conversation(alice)
    say(alice, talk, "Tea is said here.")
    index(alice, talk)
    assert found_uris(alice, "tea", owner="mine", corpus="all") == ["mem://agent/patterns/tea"]
    assert found_uris(bob, "tea", owner="team", corpus="all") == ["mem://agent/cases/tea"]
    assert len(found_uris(alice, "tea")) == 2


def test_messages_of_a_conversation_are_found(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "I adopted a puppy called Rex.", "How lovely!", "The invoice is due in March.")
    index(alice, talk)
    found = look(alice, "What is my dog called?", corpus="messages", conversation_id=talk)
    assert found.hits[0].index == 0
    assert found.actor == "user"
    assert len(found.hits) == 3


def test_what_is_asked_must_make_sense(alice: Actor) -> None:
    for query in (
        SearchQuery(" "),
        SearchQuery("a\0b"),
        SearchQuery("tea", top_k=0),
        SearchQuery("tea", top_k=201),
        SearchQuery("tea", threshold=1.5),
        SearchQuery("tea", threshold=float("nan")),
        SearchQuery("tea", category="drinks"),
        SearchQuery("tea", corpus="messages", tags=("a",)),
        SearchQuery("tea", corpus="messages", owner="team"),
        SearchQuery("tea", owner="everybody"),  # type: ignore[arg-type]  # what a program may send
    ):
        with workspace(alice.workspace_id), pytest.raises(Invalid):
            find(alice, query)


def test_another_persons_conversation_does_not_exist(alice: Actor, bob: Actor) -> None:
    talk = conversation(alice)
    with workspace(bob.workspace_id), pytest.raises(NotFound):
        find(bob, SearchQuery("tea", corpus="messages", conversation_id=talk))


def test_an_explained_score_is_the_sum_of_its_parts_times_the_relevance(alice: Actor) -> None:
    remember(alice, "mem://user/events/boat", "I bought a boat.", occurred_at=at("2025-06-01"))
    remember(alice, "mem://user/profile/communication", "Short answers.", occurred_at=at("2020-06-01"))
    make_vectors(alice)
    found = {hit.uri: hit for hit in look(alice, "What did I buy in June 2025?", explain=True).hits}
    for hit in found.values():
        assert hit.parts is not None
        assert hit.score == pytest.approx(sum(astuple(hit.parts)) * hit.relevance)
    assert found["mem://user/profile/communication"].relevance == 1
    boat = found["mem://user/events/boat"]
    assert 0.1 <= boat.relevance < 1
    assert boat.parts is not None
    assert boat.parts.date == pytest.approx(WEIGHTS.date)


def test_so_is_one_of_a_question_without_a_date(alice: Actor) -> None:
    remember(alice, "mem://user/events/boat", "I bought a boat.", occurred_at=at("2025-06-01"))
    make_vectors(alice)
    (hit,) = look(alice, "Where is my boat?", explain=True).hits
    assert hit.parts is not None and hit.score == pytest.approx(sum(astuple(hit.parts)) * hit.relevance)
    assert hit.parts.date == 0
    assert min(hit.parts.similarity, hit.parts.lexical) > 0
    assert hit.parts.window == 0


def test_a_question_without_words_gets_the_newest(alice: Actor) -> None:
    remember(alice, "mem://user/events/old", "Old.", occurred_at=at("2025-06-01"))
    remember(alice, "mem://user/events/new", "New.", occurred_at=at("2026-06-01"))
    assert {hit.uri for hit in look(alice, "?!").hits} == {"mem://user/events/old", "mem://user/events/new"}


def test_words_of_every_kind_can_be_searched(alice: Actor) -> None:
    for number, text in enumerate(
        ("It's at C:\\temp\\a'b.", "Schreib an zoë@example.org", "東京 に 行く", "apps/x.py 50%")
    ):
        remember(alice, f"mem://user/events/e-{number}", text)
    for query in ("C:\\temp\\a'b", "zoë@example.org", "東京", "apps/x.py", "50% _ \\ ' \" & | ! ( ) :*"):
        assert len(look(alice, query).hits) == 4


def test_a_snippet_shows_the_place_of_the_words(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "Filler. " * 200 + "The harbour office opens at nine.")
    index(alice, talk)
    hit = look(alice, "When does the harbour open?", corpus="messages").hits[0]
    assert "harbour office" in hit.snippet
    assert hit.snippet.startswith("…")


@pytest.mark.parametrize("tags", [(), ("nobody-has-it",)])
def test_the_search_alone_is_planned_for_every_question_at_once(alice: Actor, tags: tuple[str, ...]) -> None:
    remember(alice, "mem://user/preferences/tea", "Green tea in the morning.")
    with workspace(alice.workspace_id), connection.cursor() as cursor:
        for _ in range(6):
            assert bool(find(alice, SearchQuery("Which tea?", tags=tags)).hits) is not bool(tags)
        cursor.execute(
            "SELECT current_setting('plan_cache_mode'), generic_plans > 0 AND custom_plans = 0"
            " FROM pg_prepared_statements WHERE statement LIKE '%%query_terms AS%%'"
        )
        assert cursor.fetchone() == ("force_custom_plan", True)
