"""Imports into PostgreSQL are idempotent, and their reports add up."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation, Message
from apps.conversations.services.conversations import ConversationChange, conversation_update
from apps.jobs.selectors import job_find
from tests.conversations.long_conversations import say
from tests.turns.test_import_reading import SAMPLE

pytestmark = pytest.mark.django_db(transaction=True)

Report = dict[str, Any]


def write(file: Path, count: int, *, words: str = "Message", begin: str = "Hello") -> Path:
    rows = [begin, *(f"{words} {number}" for number in range(1, count))]
    lines = [json.dumps({"role": ("user", "assistant")[n % 2], "content": text}) for n, text in enumerate(rows)]
    file.write_text("".join(f"{line}\n" for line in lines))
    return file


def imported(file: Path, *options: str, user: str = "alice@example.org") -> Report:
    output = StringIO()
    call_command("conversation_import", str(file), "--user", user, *options, stdout=output, stderr=StringIO())
    report: Report = json.loads(output.getvalue())
    assert report["read"] == report["stored"] + report["already_there"] + report["skipped_count"]
    return report


def stored(actor: Actor) -> dict[str, list[str]]:
    """Return the contents of every conversation, in order, by title."""
    with workspace(actor.workspace_id):
        rows = Conversation.objects.order_by("id")
        return {
            f"{row.title} {place}": list(
                Message.objects.filter(conversation=row).order_by("index").values_list("content", flat=True)
            )
            for place, row in enumerate(rows)
        }


def test_importing_twice_is_importing_once(alice: Actor, tmp_path: Path) -> None:
    file = write(tmp_path / "talk.jsonl", 1_200)
    first, second = imported(file), imported(file)
    assert (first["stored"], first["already_there"]) == (1_200, 0)
    assert (second["stored"], second["already_there"]) == (0, 1_200)
    assert second["conversations"][0]["id"] == first["conversations"][0]["id"]
    (talk,) = stored(alice).values()
    assert talk == ["Hello", *(f"Message {number}" for number in range(1, 1_200))]


def test_a_file_that_grew_adds_only_what_is_new(alice: Actor, tmp_path: Path) -> None:
    imported(write(tmp_path / "talk.jsonl", 3))
    report = imported(write(tmp_path / "talk.jsonl", 700))
    assert (report["stored"], report["already_there"]) == (697, 3)
    assert [len(talk) for talk in stored(alice).values()] == [700]


def test_a_last_line_that_was_cut_is_read_when_it_is_whole(alice: Actor, tmp_path: Path) -> None:
    file = write(tmp_path / "talk.jsonl", 5)
    whole = file.read_bytes()
    file.write_bytes(whole[:-9])
    assert imported(file)["skipped"] == [
        {"line": 5, "code": "truncated", "detail": "the file ends in the middle of it"}
    ]
    file.write_bytes(whole)
    assert imported(file)["stored"] == 1
    assert [len(talk) for talk in stored(alice).values()] == [5]


def test_two_files_of_one_name_that_begin_alike_become_two_conversations(alice: Actor, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    one = write(tmp_path / "one" / "talk.jsonl", 40, words="One", begin="You are a friendly assistant.")
    two = write(tmp_path / "two" / "talk.jsonl", 40, words="Two", begin="You are a friendly assistant.")
    assert [imported(file)["stored"] for file in (one, two, one, two)] == [40, 40, 0, 0]
    assert [len(talk) for talk in stored(alice).values()] == [40, 40]


def test_a_line_that_was_mended_is_added(alice: Actor, tmp_path: Path) -> None:
    file = write(tmp_path / "talk.jsonl", 10)
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines[:4], lines[4][:-3], *lines[5:]]) + "\n")
    assert imported(file)["skipped_by_code"] == {"invalid_json": 1}
    file.write_text("\n".join(lines) + "\n")
    assert (imported(file)["stored"], len(stored(alice))) == (1, 1)


def test_messages_written_during_an_import_remain_and_the_file_continues_after_them(
    alice: Actor, tmp_path: Path
) -> None:
    report = imported(write(tmp_path / "talk.jsonl", 4))
    say(alice, report["conversations"][0]["id"], "By the way")
    assert imported(write(tmp_path / "talk.jsonl", 6))["stored"] == 2
    (talk,) = stored(alice).values()
    assert talk[4:] == ["By the way", "Message 4", "Message 5"]


def test_the_report_counts_everything_and_lists_the_first_thousand(alice: Actor, tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    good = '{"role": "user", "content": "fine"}\n'
    file.write_text("".join("{bad\n" if number % 2 else good for number in range(2_400)))
    report = imported(file)
    assert (report["read"], report["stored"], report["skipped_by_code"]) == (2_400, 1_200, {"invalid_json": 1_200})
    assert [one["line"] for one in report["skipped"]] == list(range(2, 2_002, 2))


def test_an_external_id_with_two_texts_stores_the_first_and_reports_the_other(alice: Actor, tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    rows = [{"role": "user", "content": text, "external_id": "m"} for text in ("one", "one", "two")]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    report = imported(file)
    assert (report["stored"], report["already_there"], report["skipped_by_code"]) == (1, 1, {"id_taken": 1})
    assert list(stored(alice).values()) == [["one"]]


def test_locomo_becomes_one_conversation_for_each_sample(alice: Actor, tmp_path: Path) -> None:
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps([SAMPLE, {**SAMPLE, "sample_id": "s-2"}]))
    first, second = imported(file), imported(file)
    assert (first["stored"], first["skipped_count"], first["conversation_count"]) == (6, 8, 2)
    assert (second["stored"], second["already_there"]) == (0, 6)
    assert [one["title"] for one in first["conversations"]] == ["Ana and Ben (s-1)", "Ana and Ben (s-2)"]
    with workspace(alice.workspace_id):
        names = Message.objects.order_by("conversation_id", "index").values_list("role", "name", "external_id")
        assert list(names[:2]) == [("user", "Ana", "s-1:D2:1"), ("assistant", "Ben", "s-1:D2:2")]


def test_an_external_id_gathers_files_in_one_conversation(alice: Actor, tmp_path: Path) -> None:
    imported(write(tmp_path / "a.jsonl", 3), "--external-id", "all", "--title", "All of it")
    imported(write(tmp_path / "b.jsonl", 3, words="Other"), "--external-id", "all")
    assert {title: len(talk) for title, talk in stored(alice).items()} == {"All of it 0": 5}


def test_an_imported_backlog_calls_for_a_compaction(alice: Actor, tmp_path: Path) -> None:
    report = imported(write(tmp_path / "talk.jsonl", 300, words="A longer message about the plan " * 10))
    key = report["conversations"][0]["id"]
    assert job_find(workspace_id=alice.workspace_id, kind="compaction", key=key) is not None


def test_an_empty_file_makes_no_conversation(alice: Actor, tmp_path: Path) -> None:
    file = tmp_path / "empty.jsonl"
    file.write_bytes(b"\n \n")
    assert (imported(file)["read"], stored(alice)) == (0, {})


def test_an_impossible_import_is_explained_in_one_sentence(alice: Actor, charlie: Actor, tmp_path: Path) -> None:
    file = write(tmp_path / "talk.jsonl", 2)
    with pytest.raises(CommandError, match="File not found"):
        imported(tmp_path / "absent.jsonl")
    with pytest.raises(CommandError, match=r"User not found: eve@example\.org"):
        imported(file, user="eve@example.org")
    with pytest.raises(CommandError, match="Workspace not found"):
        imported(file, "--workspace", str(charlie.workspace_id))
    with pytest.raises(CommandError, match="Name the conversation's owner"):
        call_command("conversation_import", str(file))
    report = imported(file)
    talk = report["conversations"][0]["id"]
    with workspace(alice.workspace_id):
        conversation_update(alice, conversation_id=talk, change=ConversationChange(archived=True), version=1)
    assert imported(file)["stored"] == 0
    with pytest.raises(CommandError, match="archived"):
        imported(write(tmp_path / "talk.jsonl", 3))


def test_the_workspace_alone_determines_the_owner(alice: Actor, charlie: Actor, tmp_path: Path) -> None:
    file = write(tmp_path / "talk.jsonl", 2)
    imported(file, "--workspace", str(charlie.workspace_id), user="")
    assert (len(stored(charlie)), len(stored(alice))) == (1, 0)
