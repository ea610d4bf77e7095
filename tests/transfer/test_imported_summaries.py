"""Versions of a rolling summary in an import, which name the messages that they cover."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.services import restore
from apps.compaction.services.restore import joined_runs
from apps.conversations.models import Message
from apps.transfer.formats.own_items import MOST_COVERED
from tests.compaction.runs import compact
from tests.transfer.round_trips import exported
from tests.transfer.test_export_round_trip import conversation_of
from tests.transfer.test_import_sources import run

pytestmark = pytest.mark.django_db
Line = dict[str, Any]


@pytest.fixture(scope="module")
def file(shared_alice: Actor, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Alice's export of a compacted conversation."""
    chat, _ = conversation_of(shared_alice)
    compact(shared_alice, UUID(chat))
    return exported(shared_alice, tmp_path_factory.mktemp("export"))[0]


@pytest.fixture
def lines(file: Path) -> list[Line]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def changed(lines: list[Line], covers: list[list[str]], folder: Path) -> Path:
    """A file whose summary covers these runs of messages."""
    for line in lines:
        if line.get("kind") == "summary_version":
            line["covers"] = covers
    file = folder / "changed.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return file


def names_of(lines: list[Line]) -> list[str]:
    (conversation,) = [line for line in lines if line.get("kind") == "conversation"]
    return [message["external_id"] for message in conversation["messages"]]


def compacted(actor: Actor) -> list[int]:
    with workspace(actor.workspace_id):
        rows = Message.objects.filter(compacted_in__isnull=False).order_by("index")
        return list(rows.values_list("index", flat=True))


def test_a_summary_that_covers_too_many_runs_is_refused(lines: list[Line], charlie: Actor, tmp_path: Path) -> None:
    name = names_of(lines)[0]
    file = changed(lines, [[name, name]] * (MOST_COVERED + 1), tmp_path)
    (result,) = [one for one in run(charlie, "json", file) if one["kind"] == "summary_version"]
    assert (result["status"], result["reason"]) == ("refused", "wrong_type")
    assert f"at most {MOST_COVERED:,} pairs" in result["detail"]
    assert not compacted(charlie)


@pytest.mark.parametrize("value", [7, None, [], {}])
@pytest.mark.parametrize("name", ["sources", "text", "removed", "dismissed"])
def test_a_summary_with_a_value_that_is_no_text_is_refused(
    lines: list[Line], charlie: Actor, tmp_path: Path, name: str, value: Any
) -> None:
    (version,) = [line for line in lines if line.get("kind") == "summary_version"]
    (entry, *_) = version["summary"]["decisions"]
    removed = {"field": "goals", "text": "Ship.", "reason": "done", "by": [value]}
    changes: dict[str, Callable[[], object]] = {
        "sources": lambda: entry.update(sources=[value]),
        "text": lambda: entry.update(text=value),
        "removed": lambda: version.update(removed=[removed]),
        "dismissed": lambda: version["summary"].update(dismissed=[value]),
    }
    changes[name]()
    file = tmp_path / "changed.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    (result,) = [one for one in run(charlie, "json", file) if one["kind"] == "summary_version"]
    assert (result["status"], result["reason"]) == ("refused", "bad_summary")
    assert not compacted(charlie)


def test_runs_that_touch_are_marked_as_one(lines: list[Line], charlie: Actor, tmp_path: Path) -> None:
    names = names_of(lines)
    pairs = [[name, name] for name in (*names[10:20], *names[:4])]
    file = changed(lines, pairs * 100, tmp_path)
    with CaptureQueriesContext(connection) as queries:
        results = run(charlie, "json", file)
    assert {one["status"] for one in results} == {"created"}
    assert compacted(charlie) == [*range(4), *range(10, 20)]
    marking = [one["sql"] for one in queries if 'SET "compacted_in" = ' in one["sql"] and "BETWEEN" in one["sql"]]
    assert [one.count("BETWEEN") for one in marking] == [2]


def test_many_runs_are_marked_in_several_steps(
    lines: list[Line], charlie: Actor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restore, "_RUNS_AT_ONCE", 2)
    names = names_of(lines)
    run(charlie, "json", changed(lines, [[name, name] for name in names[:10:2]], tmp_path))
    assert compacted(charlie) == [0, 2, 4, 6, 8]


def test_runs_are_joined_in_any_order() -> None:
    assert joined_runs([(8, 9), (0, 5), (1, 2), (6, 6)]) == [(0, 6), (8, 9)]
    assert joined_runs([]) == []
