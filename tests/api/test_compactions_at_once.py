"""Compactions that several people request at the same time."""

from __future__ import annotations

import pytest

from apps.accounts.actors import Actor
from tests.api.callers import Caller, at_once
from tests.conversations.long_conversations import long_talk

pytestmark = pytest.mark.django_db(transaction=True)


def test_many_requests_at_once_are_one(alice: Actor) -> None:
    path = f"/conversations/{long_talk(alice, messages=60, tokens=80)}/compactions"
    answers = at_once(lambda: Caller(alice).post(path, status=202))
    assert len({answer["compaction"]["id"] for answer in answers}) == 1
