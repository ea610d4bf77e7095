"""Whose words they are: where others could ever write, nothing counts as the owner's own."""

from __future__ import annotations

from importlib import import_module
from uuid import UUID

import pytest
from django.db import connection

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation
from apps.conversations.services.conversations import conversation_share, conversation_unshare
from apps.extraction.models import RelationalEvidence
from apps.turns.services.fork import conversation_fork
from tests.conversations.long_conversations import conversation, row_of, say
from tests.extraction.runs import memories_of, remember
from tests.people import client_of

pytestmark = pytest.mark.django_db

WORDS = "I'm a vet. No emoji please."
_MIGRATION = import_module("apps.conversations.migrations.0006_others_could_write")


@pytest.fixture
def talk(alice: Actor) -> UUID:
    return conversation(alice, title="Clinic")


def share(alice: Actor, talk: UUID, access: str) -> None:
    with workspace(alice.workspace_id):
        conversation_share(alice, conversation_id=talk, email="bob@example.org", access=access)


def unshare(alice: Actor, talk: UUID, bob: Actor) -> None:
    with workspace(alice.workspace_id):
        conversation_unshare(alice, conversation_id=talk, user_id=bob.user_id)


def fork(actor: Actor, talk: UUID, through_index: int | None = 0) -> UUID:
    with workspace(actor.workspace_id):
        return conversation_fork(actor, conversation_id=talk, through_index=through_index).id


def arrivals(actor: Actor) -> set[str]:
    return {row.arrival for row in memories_of(actor)}


def has_evidence(actor: Actor) -> bool:
    with workspace(actor.workspace_id):
        return RelationalEvidence.objects.exists()


def test_a_fork_of_a_fork_of_anothers_chat_has_anothers_words(alice: Actor, bob: Actor, talk: UUID) -> None:
    say(alice, talk, WORDS)
    share(alice, talk, "read")
    remember(bob, fork(bob, fork(bob, talk)))
    assert arrivals(bob) == {"proposed"}
    assert not has_evidence(bob)


def test_what_others_wrote_remains_theirs_after_the_share_has_ended(alice: Actor, bob: Actor, talk: UUID) -> None:
    share(alice, talk, "write")
    say(bob, talk, WORDS)
    unshare(alice, talk, bob)
    remember(alice, talk)
    assert arrivals(alice) == {"proposed"}
    assert not has_evidence(alice)


def test_a_share_that_becomes_one_to_write_marks_the_conversation(alice: Actor, bob: Actor, talk: UUID) -> None:
    share(alice, talk, "read")
    assert not row_of(alice, talk).others_could_write
    share(alice, talk, "write")
    share(alice, talk, "read")
    assert row_of(alice, talk).others_could_write


def test_ones_own_chats_their_forks_and_empty_copies_of_others_are_ones_own(
    alice: Actor, bob: Actor, talk: UUID
) -> None:
    say(alice, talk, WORDS)
    share(alice, talk, "read")
    assert not row_of(alice, fork(alice, talk)).others_could_write
    empty = fork(bob, talk, None)
    say(bob, empty, WORDS)
    remember(bob, empty)
    assert arrivals(bob) == {"accepted"}


def test_a_name_is_the_owners_if_the_caller_says_so(alice: Actor, talk: UUID) -> None:
    client, path = client_of(alice), f"/api/conversations/{talk}/messages"
    messages = [
        {"role": "user", "content": "I live in Porto.", "name": "Al", "speaker": "self"},
        {"role": "user", "content": "I work as a nurse.", "name": "al"},
        {"role": "user", "content": "I have two sisters.", "name": "Sam"},
    ]
    assert client.post(path, {"messages": messages}).status_code == 201
    assert client.post(path, {"messages": [messages[0] | {"speaker": "other"}]}).status_code == 400
    remember(alice, talk)
    assert {row.arrival for row in memories_of(alice) if "Sam" in row.l0_abstract} == {"proposed"}
    assert {row.arrival for row in memories_of(alice) if "Sam" not in row.l0_abstract} == {"accepted"}
    assert row_of(alice, fork(alice, talk)).own_names == ["Al"]


def test_the_migration_marks_the_conversations_that_there_are(alice: Actor, bob: Actor, talk: UUID) -> None:
    say(alice, talk, WORDS)
    own, shared = conversation(alice), conversation(alice)
    share(alice, talk, "read")
    share(alice, shared, "write")
    first = fork(bob, talk)
    marked = {shared, first, fork(bob, first)}
    with workspace(alice.workspace_id), connection.cursor() as cursor:
        Conversation.objects.update(others_could_write=False)
        cursor.execute(_MIGRATION.MARK)
        found = set(Conversation.objects.filter(others_could_write=True).values_list("id", flat=True))
    assert found == marked and own not in found
