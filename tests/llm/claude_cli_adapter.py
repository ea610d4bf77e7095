"""A fake `claude` command for tests: a folder with a link to the fake and its script."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Self

from apps.llm.providers.claude_cli import ClaudeCliProvider
from apps.llm.timeouts import ModelTimes
from tests.providers.behaviours import KINDS, Behaviour

PLAYED = Path(__file__).resolve().parent.parent / "providers" / "claude"
# A process has no bytes below its lines and nothing before them, and its result is its last line.
_NOT_A_PROCESS_S = frozenset({"noise", "no_done", "mute"})


class ClaudeCliAdapter:
    name: ClassVar[str] = "claude-cli"
    kinds: ClassVar[frozenset[str]] = frozenset(KINDS) - _NOT_A_PROCESS_S

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.command = folder / "claude"
        self.command.symlink_to(PLAYED)
        self._numbers = count()
        self.usual = Behaviour()

    @classmethod
    @contextmanager
    def running(cls) -> Iterator[Self]:
        with TemporaryDirectory(prefix="continuity-tests-claude-") as name:
            yield cls(Path(name))

    @property
    def usual(self) -> Behaviour:
        return self._usual

    @usual.setter
    def usual(self, behaviour: Behaviour) -> None:
        self._usual = behaviour
        self.script_default(behaviour.as_json())

    def provider(self, times: ModelTimes) -> ClaudeCliProvider:
        own = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "HOME": str(self.folder)}
        # A process takes longer to begin than a connection.
        return ClaudeCliProvider(str(self.command), replace(times, first_byte_s=max(times.first_byte_s, 1)), own)

    def script(self, *following: Behaviour) -> None:
        for behaviour in following:
            self.script_next(behaviour.as_json())

    def script_default(self, step: Mapping[str, Any]) -> None:
        """Script a behavior specific to the command, as `tests/providers/claude` defines it."""
        (self.folder / "usual.json").write_text(json.dumps(step))

    def script_next(self, step: Mapping[str, Any]) -> None:
        (self.folder / f"next-{next(self._numbers):04}.json").write_text(json.dumps(step))

    @property
    def calls(self) -> list[dict[str, Any]]:
        return self._written("calls.jsonl")

    @property
    def grandchildren(self) -> list[int]:
        return self._written("grandchildren.jsonl")

    def requests_made(self) -> int:
        return len(self.calls)

    def open_calls(self) -> int:
        return sum(is_alive(call["pid"]) for call in self.calls)

    def _written(self, name: str) -> list[Any]:
        file = self.folder / name
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def is_alive(pid: int) -> bool:
    """Whether a process runs; a zombie counts as dead."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
