"""Layers L2 and L3: memories about what a conversation is lastingly about, chosen for a cache epoch and kept in it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.context.records import EpochReason
from apps.context.selectors.negotiation import Trial, context_negotiate
from apps.context.services.packs import context_preview
from apps.engine.pack.context_pack import ContextPack
from apps.engine.pack.layers import Layer
from apps.engine.pack.provider_formats import leading_text
from apps.memory.models import MemNode, SourceKind
from apps.memory.records.tree import SourceRecord
from apps.memory.services.tree.archive import node_archive
from apps.memory.services.tree.edit import node_edit
from tests.compaction.corrections import correct
from tests.context.epochs import epoch_of, pack_of, turn
from tests.conversations.long_conversations import conversation, say
from tests.memory.recall import make_vectors, remember

pytestmark = pytest.mark.django_db

EMBER = "mem://user/entities/ember"
BUDGET, DEADLINE = "Ember may cost 4,000 euros.", "Ember has to be finished on 5 May."
OPENING = "The bakery in Porto opened its second shop."
OVEN = "A stone oven needs a permit of the fire department."


@pytest.fixture
def conversation_id(alice: Actor) -> UUID:
    started = conversation(alice, title="Our project")
    say(alice, started, "How is Ember going?", "Well.", "Is Ember's cost known?", "Not to me.", "What is next?")
    return started


def facts(actor: Actor) -> list[str]:
    return [
        str(remember(actor, f"{EMBER}/{name}", text).id) for name, text in (("budget", BUDGET), ("deadline", DEADLINE))
    ]


def topics(actor: Actor) -> list[str]:
    """Memories of events and cases, among others that are about something else."""
    ids = [
        str(remember(actor, "mem://user/events/second-shop", OPENING).id),
        str(remember(actor, "mem://agent/cases/stone-oven", OVEN).id),
    ]
    remember(actor, "mem://user/events/marathon", "Ran a marathon in the snow.")
    make_vectors(actor)
    return ids


def pack(actor: Actor, conversation_id: UUID) -> ContextPack:
    return pack_of(actor, conversation_id).pack


def texts(built: ContextPack) -> list[str]:
    return [memory.text for memory in (*built.topics, *built.entities)]


def test_what_is_known_of_a_named_entity_is_included_with_its_date(alice: Actor, conversation_id: UUID) -> None:
    known = facts(alice)
    built = pack(alice, conversation_id)
    assert [memory.id for memory in built.entities] == sorted(known)
    assert f"[{EMBER}/budget {timezone.now():%Y-%m-%d}]\n> {BUDGET}" in built.sections["entities"]
    assert built.layer_tokens()[Layer.ENTITIES] == built.tokens["entities"] > 0


def test_an_entity_that_only_the_current_message_names_is_retrieved_for_it_instead(alice: Actor) -> None:
    facts(alice)
    started = conversation(alice)
    say(alice, started, "Hello.", "Hello!", "When must Ember be finished?")
    built = pack(alice, started)
    assert built.entities == ()
    assert DEADLINE in [item.text for item in built.retrieved]


def test_what_the_layers_include_is_not_retrieved_a_second_time(alice: Actor, conversation_id: UUID) -> None:
    facts(alice)
    say(alice, conversation_id, "It is late.", "What may Ember cost?", role="")
    built = pack(alice, conversation_id)
    assert BUDGET in texts(built) and BUDGET not in [item.text for item in built.retrieved]
    assert (Layer.ENTITIES, BUDGET) in [(layer, item.text) for layer, item in built.used_items]
    assert leading_text(built).count(BUDGET) == 1


def test_the_topics_are_those_of_the_summary(alice: Actor, conversation_id: UUID) -> None:
    known = topics(alice)
    assert pack(alice, conversation_id).topics == ()
    correct(alice, conversation_id, "goals", None, "Open a third shop of the bakery in Porto")
    correct(alice, conversation_id, "current_plan", None, "Ask the fire department about the stone oven")
    built = pack(alice, conversation_id)
    assert {memory.id for memory in built.topics} == set(known)
    assert built.sections["topics"].startswith("## Known about the topics of the conversation\n")
    assert list(built.sections).index("topics") == list(built.sections).index("pinned_memory") + 1


def test_goals_that_no_memory_is_about_have_no_topics(alice: Actor, conversation_id: UUID) -> None:
    topics(alice)
    correct(alice, conversation_id, "goals", None, "Translate a poem by Rilke")
    assert pack(alice, conversation_id).topics == ()


def test_they_stay_byte_for_byte_within_an_epoch(alice: Actor, conversation_id: UUID) -> None:
    facts(alice)
    first = pack_of(alice, conversation_id)
    remember(alice, f"{EMBER}/colour", "Ember is painted green.")
    turn(alice, conversation_id)
    kept = pack_of(alice, conversation_id)
    assert not epoch_of(kept).is_new
    assert kept.pack.sections == first.pack.sections


def test_a_correction_of_one_begins_a_new_epoch(alice: Actor, conversation_id: UUID) -> None:
    budget = remember(alice, f"{EMBER}/budget", BUDGET)
    pack_of(alice, conversation_id)
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=budget.id, changes={"content": "Ember may cost 900 euros."}, version=budget.version)
    corrected = pack_of(alice, conversation_id)
    assert epoch_of(corrected).reasons == (EpochReason.MEMORY,)
    assert texts(corrected.pack) == ["Ember may cost 900 euros."]


def test_one_that_is_archived_or_ended_is_no_longer_included(alice: Actor, conversation_id: UUID) -> None:
    budget, deadline = map(UUID, facts(alice))
    assert sorted(texts(pack(alice, conversation_id))) == sorted((BUDGET, DEADLINE))
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=budget)
    assert texts(pack(alice, conversation_id)) == [DEADLINE]
    with workspace(alice.workspace_id):
        MemNode.objects.filter(pk=deadline).update(valid_to=timezone.now() - timedelta(days=1))
    ended = pack_of(alice, conversation_id)
    assert texts(ended.pack) == []
    assert epoch_of(ended).reasons == (EpochReason.MEMORY,)
    assert epoch_of(pack_of(alice, conversation_id)).number == epoch_of(ended).number


def test_nobody_else_gets_them(alice: Actor, bob: Actor, conversation_id: UUID) -> None:
    facts(bob)
    topics(bob)
    correct(alice, conversation_id, "goals", None, "Open a third shop of the bakery in Porto")
    assert not {BUDGET, OPENING} & set(texts(pack(alice, conversation_id)))


def test_what_live_messages_say_is_not_repeated(alice: Actor, conversation_id: UUID) -> None:
    message = say(alice, conversation_id, "Fine.", BUDGET)[1]
    source = [SourceRecord(SourceKind.MESSAGE, str(message.id))]
    remember(alice, f"{EMBER}/budget", BUDGET, sources=source)
    remember(alice, f"{EMBER}/deadline", DEADLINE)
    assert texts(pack(alice, conversation_id)) == [DEADLINE]


def test_the_trial_of_a_budget_counts_them(alice: Actor, conversation_id: UUID) -> None:
    facts(alice)
    with workspace(alice.workspace_id):
        trial = context_negotiate(alice, conversation_id, Trial())
    built = pack_of(alice, conversation_id, 12_000).pack
    assert trial.negotiation.granted(Layer.ENTITIES) == built.tokens["entities"]
    assert trial.situation.entity_count == 1


def test_a_pack_as_of_a_past_time_has_none(alice: Actor, conversation_id: UUID) -> None:
    facts(alice)
    assert pack(alice, conversation_id).entities
    with workspace(alice.workspace_id):
        built, _, _ = context_preview(alice, conversation_id, "And now?", as_of=timezone.now() - timedelta(days=9))
    assert texts(built.pack) == []


def test_there_are_none_with_lookups_disabled(alice: Actor, conversation_id: UUID, settings: Settings) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, lookups_enabled=False)
    facts(alice)
    assert texts(pack(alice, conversation_id)) == []


def test_an_ordinary_word_is_no_entity_of_that_name(alice: Actor) -> None:
    remember(alice, "mem://user/entities/will/work", "Will is a plumber.")
    started = conversation(alice)
    say(alice, started, "I will ship it, may I?", "You may; it will be fine.", "What is next?")
    assert pack(alice, started).entities == ()
    say(alice, started, "A coffee.", "Did Will call? I asked Will to.", "No.", "And now?", role="")
    assert texts(pack_of(alice, started, 5_000).pack) == ["Will is a plumber."]
