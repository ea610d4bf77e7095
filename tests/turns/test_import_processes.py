"""The import command as a process: killed midway, and measured on more messages than fit into its memory."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation, Message
from config.stack.process import PYTHON, ROOT
from tests.processes import eventually

pytestmark = pytest.mark.django_db(transaction=True)

MANY, VERY_MANY = 30_000, 100_000
MOST_GROWTH_MB = 60
# Like `manage.py`, but prints the peak memory at the end.
_MEASURED = """
import resource, sys
from django.core.management import execute_from_command_line
execute_from_command_line(sys.argv)
print("peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)
"""


@pytest.fixture
def importing(alice: Actor) -> Iterator[list[subprocess.Popen[str]]]:
    """The processes that a test starts, killed at its end."""
    started: list[subprocess.Popen[str]] = []
    yield started
    for process in started:
        process.kill()
        process.communicate()


def start(started: list[subprocess.Popen[str]], file: Path) -> subprocess.Popen[str]:
    command = [PYTHON, "-c", _MEASURED, "conversation_import", str(file), "--user", "alice@example.org"]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=_environment(),
    )
    started.append(process)
    return process


def _environment() -> dict[str, str]:
    return {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings.test"}


def write(file: Path, count: int) -> Path:
    with file.open("w") as target:
        for number in range(count):
            words = f"Message {number}: we talk about the booking service and its plan. " * 3
            target.write(json.dumps({"role": ("user", "assistant")[number % 2], "content": words}) + "\n")
    return file


def count(actor: Actor) -> int:
    with workspace(actor.workspace_id):
        return Message.objects.count()


def finished(process: subprocess.Popen[str]) -> tuple[dict[str, int], int]:
    """Return the report and the peak memory in MB."""
    output, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors[-3000:]
    peak = re.search(r"^peak (\d+)$", errors, re.MULTILINE)
    assert peak is not None
    return json.loads(output), int(peak[1])


def test_an_import_that_was_killed_is_done_by_doing_it_again(
    alice: Actor, importing: list[subprocess.Popen[str]], tmp_path: Path
) -> None:
    file = write(tmp_path / "talk.jsonl", 6_000)
    for least in (1, 1_500):
        process = start(importing, file)
        assert eventually(lambda least=least: count(alice) >= least, 60)
        process.kill()
        process.wait()
    left = count(alice)
    assert 1_500 <= left < 6_000
    report, _ = finished(start(importing, file))
    assert (report["stored"], report["already_there"]) == (6_000 - left, left)
    with workspace(alice.workspace_id):
        row = Conversation.objects.get()
        contents = Message.objects.order_by("index").values_list("content", flat=True)
        assert [int(text.split()[1][:-1]) for text in contents] == list(range(6_000))
        assert row.message_count == 6_000


def test_a_long_import_uses_bounded_memory(
    importing: list[subprocess.Popen[str]], tmp_path: Path, *, thorough: bool
) -> None:
    many = VERY_MANY if thorough else MANY
    _, small = finished(start(importing, write(tmp_path / "small.jsonl", 500)))
    began = time.monotonic()
    report, large = finished(start(importing, write(tmp_path / "large.jsonl", many)))
    seconds = time.monotonic() - began
    assert report["stored"] == many
    print(f"{many / seconds:.0f} messages a second; {small} MB for 500, {large} MB for {many}")
    assert large - small < MOST_GROWTH_MB
