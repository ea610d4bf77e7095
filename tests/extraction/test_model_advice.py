"""A model's advice on known memories: it counts where the words don't decide, and never against them."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.extraction.services import store
from apps.memory.models import MemConflict
from tests.conversations.long_conversations import conversation, say
from tests.extraction.runs import memories_of, remember
from tests.providers.answers import memory
from tests.providers.behaviours import Behaviour
from tests.providers.server import ProviderServer

pytestmark = pytest.mark.django_db


@pytest.fixture
def talk(alice: Actor) -> UUID:
    return conversation(alice, title="Kitchen")


def tell(actor: Actor, talk: UUID, model: ProviderServer, words: str, **claim: Any) -> dict[str, Any]:
    """Say something that a model then claims to be a memory; it quotes all of it."""
    [message] = say(actor, talk, words, role="user")
    made = memory(f"m{message.index}", words.rstrip("."), claim.pop("statement"), **claim)
    model.script(Behaviour(text=json.dumps({"memories": [made]})))
    return remember(actor, talk)


def slot(attribute: str, value: str, **fields: Any) -> dict[str, Any]:
    return {"subject": "user", "attribute": attribute, "value": value, "category": "profile", **fields}


def values(actor: Actor) -> set[tuple[str, str]]:
    """Attributes and values that hold now."""
    return {(row.attribute, row.value) for row in memories_of(actor) if row.valid_to is None}


def in_use(actor: Actor) -> list[str]:
    return [row.l2_content for row in memories_of(actor) if row.valid_to is None]


def contradictions(actor: Actor) -> list[tuple[str, str, str]]:
    with workspace(actor.workspace_id):
        rows = MemConflict.objects.select_related("earlier", "later")
        return [(row.earlier.l2_content, row.later.l2_content, row.reason) for row in rows]


def test_advice_with_a_wrong_label_replaces_nothing_and_waits_as_a_contradiction(
    alice: Actor, talk: UUID, model: ProviderServer
) -> None:
    nuts, tea = "The user is allergic to nuts.", "The user prefers green tea."
    tell(alice, talk, model, "Nuts: I am allergic.", statement=nuts, **slot("allergies", "nuts"))
    advice = {"decision": "supersede", "target": "k1"}
    assert tell(alice, talk, model, "Green tea is what I prefer.", statement=tea, **advice)["created"] == 1
    assert in_use(alice) == [nuts, tea]
    assert contradictions(alice) == [(nuts, tea, "advised")]


def test_a_correction_that_a_model_takes_for_a_repetition_supersedes(
    alice: Actor, talk: UUID, model: ProviderServer
) -> None:
    tell(alice, talk, model, "I live in Rome.", statement="The user lives in Rome.", **slot("lives_in", "Rome"))
    moved = slot("lives_in", "Oslo") | {"statement": "The user moved to Oslo.", "decision": "skip", "target": "k1"}
    assert tell(alice, talk, model, "I moved to Oslo.", **moved)["replaced"] == 1
    assert values(alice) == {("lives_in", "Oslo")}


def test_another_value_is_no_repetition_though_a_model_says_so(alice: Actor, talk: UUID, model: ProviderServer) -> None:
    tell(alice, talk, model, "I live in Rome.", statement="The user lives in Rome.", **slot("lives_in", "Rome"))
    weekends = {"statement": "The user is in Oslo on weekends.", "decision": "skip", "target": "k1"}
    assert tell(alice, talk, model, "Weekends in Oslo, mostly.", **weekends)["created"] == 1
    assert [later for _, later, _ in contradictions(alice)] == ["The user is in Oslo on weekends."]


@pytest.mark.parametrize(
    ("first", "second", "canonical"),
    [
        ("residence", "home", "lives_in"),
        ("works_at", "employer", "employer"),
        ("due_date", "deadline", "deadline"),
    ],
)
def test_an_attribute_has_one_current_value_whatever_a_model_calls_it(
    alice: Actor, talk: UUID, model: ProviderServer, first: str, second: str, canonical: str
) -> None:
    words = {"Rome": "Rome it was, back then.", "Oslo": "Oslo is it, these days."}
    tell(alice, talk, model, words["Rome"], statement="It was Rome back then.", **slot(first, "Rome"))
    tell(alice, talk, model, words["Oslo"], statement="It is Oslo these days.", **slot(second, "Oslo"))
    assert values(alice) == {(canonical, "Oslo")}


def test_an_attribute_with_several_values_keeps_them_though_a_model_says_there_is_one(
    alice: Actor, talk: UUID, model: ProviderServer
) -> None:
    for value in ("Italian", "Spanish"):
        tell(alice, talk, model, f"{value} as well.", statement=f"{value} too.", **slot("languages", value, many=False))
    assert values(alice) == {("language", "Italian"), ("language", "Spanish")}


def test_a_batch_is_stored_at_once(
    alice: Actor, talk: UUID, model: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, learn = [], store.memories_learn

    def counted(*args: Any, **kwargs: Any) -> Any:
        calls.append(kwargs["drafts"])
        return learn(*args, **kwargs)

    monkeypatch.setattr(store, "memories_learn", counted)
    say(alice, talk, "I'm a vet. Porto it is. I prefer short answers. Two cats, both grey. We use Vetera 4.")
    claims = [memory("m0", words, words) for words in ("Porto it is", "Two cats, both grey")]
    model.script(Behaviour(text=json.dumps({"memories": claims})))
    remember(alice, talk)
    [drafts] = calls
    assert [one.made_by[:5] for one in drafts] == ["claud", "claud"]
