"""What an open page learns of an import."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation
from tests.transfer.round_trips import exported
from tests.transfer.test_import_sources import run
from tests.transfer.test_imported_compactions import compacted_twice, runs_in


@pytest.mark.django_db(transaction=True)
def test_an_open_page_learns_of_imported_compactions(
    alice: Actor, charlie: Actor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compacted_twice(alice)
    frames: list[dict[str, Any]] = []
    file, _ = exported(alice, tmp_path)
    monkeypatch.setattr("apps.events.publish.publish_frame", lambda group, frame: frames.append(frame))
    run(charlie, "json", file)
    last = [frame["data"] for frame in frames if frame["name"] == "ContextCompacted"][-1]
    row = runs_in(charlie)[-1]
    assert (last["compaction"].run_id, last["compaction"].version, last["summary"].version) == (row.id, 2, 2)
    with workspace(charlie.workspace_id):
        assert last["counts"].live_tokens == Conversation.objects.get().live_tokens
