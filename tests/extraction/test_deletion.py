"""Statements that use words of a deleted message are found in SQL, without reading every message."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.extraction.models import ExtractionCandidate
from apps.turns.services.delete import message_delete
from tests.conversations.long_conversations import conversation, say

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("deleted", "statement", "is_erased"),
    [
        ("We moved to Postgres.", "They run PostgreSQL.", True),
        ("Flies are a problem.", "A FLY was seen.", True),
        ("It's in l'appartement.", "An appartement was rented.", True),
        ("Our user_id column.", "The column was dropped.", True),
        ("Wir sind in München.", "Their office is in München.", True),
        ("東京に住んでいます", "The person lives in 東京.", True),
        ("We pay 40k.", "The price is 40,000.", True),
        ("Port 8080 is open.", "There are 8080 of them.", True),
        ("We moved to Postgres.", "They run Oracle.", False),
    ],
)
def test_a_statement_in_words_of_a_deleted_message_is_erased(
    alice: Actor, deleted: str, statement: str, is_erased: bool
) -> None:
    talk = conversation(alice)
    first, second = say(alice, talk, deleted, f"Yes. {'Long. ' * 50}")
    with workspace(alice.workspace_id):
        place = {"run": first.id, "conversation_id": talk, "message_id": second.id, "start": 0, "end": 4}
        row = ExtractionCandidate.objects.create(**place, outcome="refused", statement=statement)
        with CaptureQueriesContext(connection) as queries:
            message_delete(alice, conversation_id=talk, message_id=first.id)
        row.refresh_from_db()
    assert (row.statement == "") is is_erased
    [read] = [one["sql"] for one in queries if one["sql"].startswith("SELECT") and '"statement"::text ~' in one["sql"]]
    assert not re.search(r'(?<!SUBSTRING\()"conversations_message"\."content"', read)
