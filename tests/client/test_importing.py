"""Imports: items are uploaded in batches without their secrets, and the report is exact."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from continuity_client.cli.main import main
from continuity_client.imports.batching import batches
from tests.client.fake_server import OTHER_ID, FakeServer
from tests.client.machine import Machine

SOURCE = '''
def read_items(path):
    """Items of a test."""
    from continuity_client.imports import SourceError

    if path == "missing":
        raise SourceError("There is no file called missing.")
    for number in range(250):
        kind = "observation" if number % 2 else "summary"
        yield {"key": f"k{number}", "kind": kind, "text": f"password: hunter2!{number}"}
'''


@pytest.fixture
def importing(paired: Machine, server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine with a source of 250 items; the server has the first ten already and refuses the last."""

    def stored(body: Any, _: Any) -> tuple[int, Any]:
        return 200, {"results": [_result(item["key"]) for item in body["items"]]}

    server.routes["POST /api/imports/json"] = stored
    module = paired.folder / "test_source.py"
    module.write_text(SOURCE)
    monkeypatch.syspath_prepend(str(paired.folder))
    monkeypatch.setattr("continuity_client.imports.reader_of", _reader)
    monkeypatch.setattr("continuity_client.cli.importing.reader_of", _reader)
    monkeypatch.setenv("CONTINUITY_HOME", str(paired.home))
    return paired


def _reader(source: str) -> Any:
    return importlib.import_module("test_source").read_items


def _result(key: str) -> dict[str, Any]:
    number = int(key[1:])
    status = "existing" if number < 10 else "refused" if number == 249 else "created"
    return {"key": key, "status": status, "reason": "too long" if status == "refused" else ""}


def test_the_report_counts_every_item(
    importing: Machine, server: FakeServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["import", "--from", "json", "x", "--dry-run", "--json"]) == 1

    report = json.loads(capsys.readouterr().out)
    assert (report["items"], report["created"], report["existing"], report["refused"]) == (250, 239, 10, 1)
    assert report["kinds"] == {"summary": 125, "observation": 125}
    assert report["problems"] == [{"key": "k249", "status": "refused", "reason": "too long"}]
    bodies = [body for _, path, _, body in server.requests if path == "/api/imports/json"]
    assert [len(body["items"]) for body in bodies] == [100, 100, 50]
    assert {body["dry_run"] for body in bodies} == {True}
    assert len({body["import_id"] for body in bodies}) == 1
    assert "hunter2" not in json.dumps(bodies)


def test_a_report_is_readable(importing: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    main(["import", "--from", "json", "x"])

    shown = capsys.readouterr().out
    assert "250 items read from json, 239 imported." in shown
    assert "239 created · 10 existing · 1 refused" in shown
    assert "refused: k249: too long" in shown


def sent(server: FakeServer) -> list[tuple[bool, bool]]:
    """Whether each import was a dry run, and whether it was confirmed."""
    bodies = [body for _, path, _, body in server.requests if path.startswith("/api/imports/")]
    return list(dict.fromkeys((body["dry_run"], body["confirmed"]) for body in bodies))


@pytest.mark.parametrize(
    ("options", "confirmed"),
    [([], True), (["x"], False), (["x", "--mine"], True), (["--path", "x"], False), (["--not-mine"], False)],
)
def test_only_ones_own_tools_and_what_one_says_is_confirmed(
    importing: Machine, server: FakeServer, options: list[str], confirmed: bool
) -> None:
    main(["import", "--from", "json", *options])
    assert sent(server) == [(False, confirmed)]


@pytest.mark.parametrize(("answer", "confirmed"), [("y", True), ("YES ", True), ("n", False), ("", False)])
def test_on_a_terminal_a_person_sees_what_would_be_imported_and_is_asked(
    importing: Machine,
    server: FakeServer,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
    confirmed: bool,
) -> None:
    questions: list[str] = []

    def ask(question: str) -> str:
        questions.append(question)
        return answer

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", ask)
    main(["import", "--from", "json", "x"])
    assert questions == ["Are these your own memories? [y/N] "]
    assert sent(server) == [(True, True), (False, confirmed)]
    assert "239 would be imported." in capsys.readouterr().out


def test_the_report_says_how_many_memories_wait(
    importing: Machine, server: FakeServer, capsys: pytest.CaptureFixture[str]
) -> None:
    def stored(body: Any, _: Any) -> tuple[int, Any]:
        reasons = ["waiting" if item["kind"] == "observation" else "" for item in body["items"]]
        keys = [item["key"] for item in body["items"]]
        results = zip(keys, reasons, strict=True)
        return 200, {"results": [{"key": key, "status": "created", "reason": reason} for key, reason in results]}

    server.routes["POST /api/imports/json"] = stored
    main(["import", "--from", "json", "x"])
    assert "125 memories wait in your inbox" in capsys.readouterr().out
    main(["import", "--from", "json", "x", "--json"])
    report = json.loads(capsys.readouterr().out)
    assert (report["waiting"], report["confirmed"]) == (125, False)


def test_a_source_that_cannot_be_read_is_a_sentence(importing: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "--from", "json", "missing"]) == 1
    assert "There is no file called missing." in capsys.readouterr().err


def test_nothing_is_imported_into_another_server(
    importing: Machine, server: FakeServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.server_id = OTHER_ID

    assert main(["import", "--from", "json", "x"]) == 1
    assert "Another server answers" in capsys.readouterr().err
    assert server.paths() == []


def test_an_import_that_fails_says_how_to_go_on(
    importing: Machine, server: FakeServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("continuity_client.cli.importing.PAUSE", 0)
    counts = iter(range(100))
    stored = server.routes["POST /api/imports/json"]
    server.routes["POST /api/imports/json"] = lambda body, headers: (
        stored(body, headers) if next(counts) < 1 else (503, {"detail": "Not now."})
    )

    assert main(["import", "--from", "json", "x"]) == 1
    shown = capsys.readouterr().err
    assert "100 items are done" in shown and "Run the same command again" in shown


def test_a_large_item_is_a_batch_of_its_own() -> None:
    def items() -> Iterator[dict[str, Any]]:
        for number in range(3):
            yield {"key": f"k{number}", "kind": "note", "text": "word " * 400_000}

    assert [len(batch) for batch in batches(items())] == [1, 1, 1]


def test_keys_stay_as_they_are() -> None:
    ((item,),) = batches([{"key": "aB3dE5gH7jK9mN1pQ3sT5v", "kind": "note", "text": "x"}])

    assert item["key"] == "aB3dE5gH7jK9mN1pQ3sT5v"
    assert Path("x")
