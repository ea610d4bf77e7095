"""Deleting a conversation: everything of it is gone, nothing else is, and no import brings it back."""

from __future__ import annotations

import json
from uuid import UUID

import pytest
from django.apps import apps
from django.db import connection

from apps.accounts.actors import Actor
from apps.accounts.models import Workspace
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation
from apps.jobs.models import DueJob
from tests.api.callers import Caller, viewer_of
from tests.api.test_imports import imported
from tests.compaction.runs import run_due_jobs
from tests.conversations.long_conversations import conversation, say
from tests.jobs.requests import make_due

pytestmark = pytest.mark.django_db
WORDS = "We decided to take the train to Rome because it is cheaper. " * 12
LINES = "\n".join(json.dumps({"role": "user", "content": f"Line {number}"}) for number in range(3)).encode()


def filled(actor: Actor) -> UUID:
    """A conversation with messages, a summary, a pin, passages, a pack and a share."""
    caller, talk = Caller(actor), conversation(actor, title="Trip")
    say(actor, talk, *[f"{number}: {WORDS}" for number in range(40)])
    caller.post(f"/conversations/{talk}/compactions", {"level": "light"}, status=202)
    run_due_jobs()
    caller.post(f"/conversations/{talk}/pins", {"content": "Rome in May"})
    caller.get(f"/conversations/{talk}/context")
    # The index follows a second later.
    make_due()
    run_due_jobs()
    return talk


def rows_of(actor: Actor, talk: UUID) -> dict[str, int]:
    """The number of rows that name the conversation, by table."""
    counts = {}
    with workspace(actor.workspace_id), connection.cursor() as cursor:
        for model in apps.get_models():
            for field in model._meta.concrete_fields:
                if field.column in ("conversation_id", "bank"):
                    table = model._meta.db_table
                    cursor.execute(f'SELECT count(*) FROM {table} WHERE "{field.column}" = %s', [talk])  # noqa: S608
                    counts[table] = cursor.fetchone()[0]
    return counts


@pytest.mark.slow("it reads every table")
def test_everything_of_the_conversation_is_gone_and_nothing_else(alice: Actor) -> None:
    doomed, other = filled(alice), filled(alice)
    before, others = rows_of(alice, doomed), rows_of(alice, other)
    for table in ("conversations_message", "compaction_summaryversion", "mem_passages", "pinned_memory"):
        assert before[table], table
    Caller(alice).delete(f"/conversations/{doomed}")
    after = rows_of(alice, doomed)
    # What models were paid for stays in the usage; it names no text.
    assert {table for table, count in after.items() if count} <= {"llm_modelusage"}
    assert rows_of(alice, other) == others
    assert not DueJob.objects.filter(key=str(doomed)).exists()
    Caller(alice).get(f"/conversations/{doomed}", status=404)
    assert str(doomed) not in [row["id"] for row in Caller(alice).get("/conversations")["data"]]


def test_only_the_owner_deletes(acme: Workspace, alice: Actor, bob: Actor, charlie: Actor) -> None:
    talk = conversation(alice)
    path = f"/conversations/{talk}"
    Caller(bob).delete(path, status=404)
    Caller(charlie).delete(path, status=404)
    Caller(alice).post(f"{path}/shares", {"email": "bob@example.org"})
    Caller(bob).delete(path, status=403)
    Caller(viewer_of(acme)).delete(path, status=403)
    assert Caller(alice).get(path)["id"] == str(talk)


def test_it_is_deleted_only_in_the_version_that_was_seen(alice: Actor) -> None:
    path = f"/conversations/{conversation(alice)}"
    Caller(alice).delete(path, status=412, If_Match='"7"')
    Caller(alice).delete(path, If_Match='"1"')


def test_it_is_not_deleted_under_a_reply_that_is_being_written(alice: Actor) -> None:
    talk = conversation(alice)
    with workspace(alice.workspace_id):
        Conversation.objects.filter(pk=talk).update(turn_until="2999-01-01T00:00:00Z")
    assert Caller(alice).delete(f"/conversations/{talk}", status=409)["code"] == "turn_running"


def test_a_fork_outlives_its_original(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "Hello", "Hi")
    fork = Caller(alice).post(f"/conversations/{talk}/fork", {"through_index": 1})
    Caller(alice).delete(f"/conversations/{talk}")
    kept = Caller(alice).get(f"/conversations/{fork['id']}")
    assert (kept["message_count"], kept["copied_from"]) == (2, None)


def test_no_import_brings_it_back(alice: Actor, bob: Actor) -> None:
    (first,) = imported(alice, LINES, "?name=trip.jsonl")["conversations"]
    Caller(alice).delete(f"/conversations/{first['id']}")
    again = imported(alice, LINES, "?name=trip.jsonl")
    assert (again["stored"], again["conversations"]) == (0, [])
    assert [skipped["code"] for skipped in again["skipped"]] == ["deleted"] * 3
    assert imported(bob, LINES, "?name=trip.jsonl")["stored"] == 3
