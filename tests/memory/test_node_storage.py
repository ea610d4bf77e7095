"""Writing many nodes at once."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.memory.models import MemNode
from apps.memory.services.tree.node_storage import new_row
from tests.memory.trees import at, directory

pytestmark = pytest.mark.django_db

TOLD = {"uri": "mem://user/events/fair", "tags": ["fair"], "l2_content": "In May."}


def told(row: MemNode) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in MemNode._meta.concrete_fields}


def test_a_new_row_is_as_django_makes_it(alice: Actor) -> None:
    with workspace(alice.workspace_id):
        row, other = new_row(**TOLD), new_row(**TOLD)
        assert told(row) == told(MemNode(id=row.id, **TOLD))
    assert row._state.adding and row.id != other.id
    assert row.merged_from is not other.merged_from


def test_a_date_with_an_offset_of_seconds_is_stored_to_the_second(alice: Actor) -> None:
    occurred_at = datetime(1890, 1, 1, 12, tzinfo=timezone(timedelta(hours=1, minutes=1, seconds=1)))
    directory(alice, "mem://user/entities/acme", occurred_at=occurred_at)
    assert at(alice, "mem://user/entities/acme").occurred_at == occurred_at
