"""Bulk writes of nodes."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from apps.accounts.actors import Actor
from tests.memory.trees import at, directory

pytestmark = pytest.mark.django_db


def test_a_date_with_an_offset_of_seconds_is_stored_to_the_second(alice: Actor) -> None:
    occurred_at = datetime(1890, 1, 1, 12, tzinfo=timezone(timedelta(hours=1, minutes=1, seconds=1)))
    directory(alice, "mem://user/entities/acme", occurred_at=occurred_at)
    assert at(alice, "mem://user/entities/acme").occurred_at == occurred_at
