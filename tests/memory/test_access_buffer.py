"""Recording accesses of memories after a search's response."""

from __future__ import annotations

from collections import Counter
from threading import Timer
from uuid import UUID

import pytest
from structlog.testing import capture_logs

from apps.accounts.actors import Actor
from apps.common.ids import uuid7
from apps.common.tenancy import workspace
from apps.memory.models import MemAccess
from apps.memory.services.access_buffer import AccessBuffer
from tests.memory.trees import write
from tests.processes import eventually

pytestmark = pytest.mark.django_db(transaction=True)


def noted(actor: Actor) -> Counter[UUID]:
    with workspace(actor.workspace_id):
        return Counter(MemAccess.objects.values_list("node_id", flat=True))


def test_what_many_searches_found_is_written_at_once_and_for_each_workspace(alice: Actor, charlie: Actor) -> None:
    mine, theirs = write(alice, "mem://user/events/fair"), write(charlie, "mem://user/events/fair")
    notes = AccessBuffer(None)
    notes.add(alice.workspace_id, [mine.id])
    notes.add(charlie.workspace_id, [theirs.id])
    notes.add(alice.workspace_id, [mine.id, uuid7()])
    assert noted(alice) == Counter()
    notes.write()
    assert (noted(alice), noted(charlie)) == (Counter({mine.id: 2}), Counter({theirs.id: 1}))
    notes.write()
    assert noted(alice) == Counter({mine.id: 2})


def test_they_are_written_a_moment_later_by_themselves(alice: Actor) -> None:
    made = write(alice, "mem://user/events/fair")
    notes = AccessBuffer(0.05)
    for times in (1, 2):
        notes.add(alice.workspace_id, [made.id])
        assert eventually(lambda: noted(alice)[made.id] == times)  # noqa: B023  # called at once


def test_a_failed_write_of_accesses_is_logged_and_harms_no_other(alice: Actor, charlie: Actor) -> None:
    made = write(charlie, "mem://user/events/fair")
    notes = AccessBuffer(None)
    # Not a UUID: PostgreSQL refuses it.
    notes.add(alice.workspace_id, ["none"])  # type: ignore[list-item]
    notes.add(charlie.workspace_id, [made.id])
    with capture_logs() as logs:
        notes.write()
    # Threads of earlier tests may write lines of other events meanwhile.
    assert [line["count"] for line in logs if line["event"] == "memory.accesses_lost"] == [1]
    assert noted(charlie) == Counter({made.id: 1})


def test_a_thread_that_cannot_begin_fails_no_search_and_the_next_one_begins(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = write(alice, "mem://user/events/fair")
    notes = AccessBuffer(0.05)
    with monkeypatch.context() as patch, capture_logs() as logs:
        patch.setattr(Timer, "start", _no_thread)
        notes.add(alice.workspace_id, [made.id])
    assert [line["event"] for line in logs] == ["memory.accesses_wait"]
    notes.add(alice.workspace_id, [made.id])
    assert eventually(lambda: noted(alice)[made.id] == 2)


def _no_thread(timer: Timer) -> None:
    raise RuntimeError("can't start new thread")
