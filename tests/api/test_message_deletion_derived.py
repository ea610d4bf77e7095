"""Deleting a message: what a model wrote from it goes with it."""

from __future__ import annotations

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.extraction.models import ExtractionCandidate
from apps.memory.models import MemNode, MemRevision
from tests.api.callers import Caller
from tests.api.test_message_deletion import SECRET, index_messages, message_path, rows_with
from tests.conversations.long_conversations import conversation, say
from tests.inbox.inboxes import memory

pytestmark = pytest.mark.django_db


def test_no_candidate_holds_its_words_afterwards(alice: Actor) -> None:
    talk = conversation(alice)
    first, _ = say(alice, talk, f"Our port is {SECRET}, always.", "Which one?")
    [third] = say(alice, talk, "That one is closed.")
    candidates = [
        (first.id, f"Their port is {SECRET}, not Stone Town."),
        (third.id, f"{SECRET} is closed."),
        (third.id, "It is closed."),
    ]
    with workspace(alice.workspace_id):
        for message_id, statement in candidates:
            place = {"run": first.id, "conversation_id": talk, "message_id": message_id, "start": 0, "end": 4}
            ExtractionCandidate.objects.create(**place, outcome="refused", reason="not_grounded", statement=statement)
    assert rows_with(alice, SECRET)["extraction_candidates"] == 2
    Caller(alice).delete(message_path(alice, talk))
    index_messages()
    assert rows_with(alice, SECRET) == {}
    with workspace(alice.workspace_id):
        left = list(ExtractionCandidate.objects.order_by("id").values_list("statement", flat=True))
    assert left == ["", "", "It is closed."]


def test_a_memory_in_a_models_words_goes_with_a_message_that_it_takes_words_from(alice: Actor) -> None:
    talk = conversation(alice)
    first, _, third, fourth = say(alice, talk, f"Our port is {SECRET}.", "Which?", "That is closed.", "It opens at 9.")
    statements = [(third.id, f"{SECRET} is closed."), (fourth.id, "The port opens at 9."), (third.id, "It is closed.")]
    nodes = [
        memory(alice, f"mem://user/events/port-{place}", statement, ("message", message_id))
        for place, (message_id, statement) in enumerate(statements)
    ]
    with workspace(alice.workspace_id):
        MemRevision.objects.filter(node_id__in=nodes).update(made_by="model")
        for node_id, (message_id, statement) in zip(nodes, statements, strict=True):
            place = {"run": first.id, "conversation_id": talk, "message_id": message_id, "start": 0, "end": 15}
            ExtractionCandidate.objects.create(**place, outcome="created", node_id=node_id, statement=statement)
    Caller(alice).delete(message_path(alice, talk))
    index_messages()
    assert rows_with(alice, SECRET) == {}
    with workspace(alice.workspace_id):
        left = MemNode.objects.filter(pk__in=nodes, archived_at=None).values_list("l2_content", flat=True)
        assert list(left) == ["It is closed."]
