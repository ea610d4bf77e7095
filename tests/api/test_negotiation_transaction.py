"""The negotiation of a budget needs no transaction that may write."""

from __future__ import annotations

import pytest
from django.db import connection

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.context.selectors.negotiation import Trial, context_negotiate
from tests.conversations.long_conversations import huge_talk


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("messages", [30, 200, 1_000])
def test_a_transaction_that_may_not_write_is_enough(alice: Actor, messages: int) -> None:
    """Right after an import, before any segment is closed, the request still writes nothing."""
    talk = huge_talk(alice, messages)
    with workspace(alice.workspace_id):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION READ ONLY")
        tried = context_negotiate(alice, talk, Trial(token_budget=4_000, message="And then?"))
    assert tried.negotiation.used <= 4_000
