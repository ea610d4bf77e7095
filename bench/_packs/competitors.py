"""Comparison with other libraries, which are timed by a program in their own environment."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import IO, Any, cast

from bench._packs.percentiles import p50, p95, ratio
from config.stack import packages
from config.stack.process import ROOT, clean_environment

PROGRAM = "bench._packs.competitor_runner"
# Timeout of a call; a library that takes more than a second is called once.
TIMEOUT_S = 8
SLOW_MS = 1_000
WITHOUT = "reading the messages from a database: they are Python objects already"

Line = dict[str, Any]


@dataclass
class Peers:
    """Times so far, by name and number of messages; `away` is the reason if there are none.

    `stopped` has the number of messages at which a library timed out.
    """

    away: str = ""
    process: subprocess.Popen[str] | None = None
    names: Sequence[str] = ()
    times: defaultdict[tuple[str, int], list[float]] = field(default_factory=lambda: defaultdict(list))
    stopped: dict[str, int] = field(default_factory=dict)

    @classmethod
    def met(cls, process: subprocess.Popen[str]) -> Peers:
        """Connect to the program, whose first line lists the libraries."""
        found = cls(process=process)
        found.names = found._read_line() or ()
        return found

    def time_all(self, messages: int) -> None:
        for name in self.names:
            known = self.times[name, messages]
            if not self.away and not self._gave_up(name, messages) and all(took < SLOW_MS for took in known):
                self._time(name, messages)

    def lines(self, ours: Mapping[int, float]) -> Iterator[Line]:
        """`ours` is what our pack takes, by number of messages."""
        if self.away:
            yield {"bench": "pack_peers", "skipped": self.away}
            return
        for name in self.names:
            for messages, took in ours.items():
                yield {"bench": "pack_peers", "peer": name, "messages": messages, **self._result(name, messages, took)}

    def _time(self, name: str, messages: int) -> None:
        request = json.dumps({"peer": name, "messages": messages, "most_s": TIMEOUT_S})
        # `_read_line` notices that it has ended.
        with suppress(BrokenPipeError):
            print(request, file=cast(subprocess.Popen[str], self.process).stdin, flush=True)
        match self._read_line():
            case {"took_ms": float(took)}:
                self.times[name, messages].append(took)
            case {"took_ms": None}:
                self.stopped[name] = messages

    def _read_line(self) -> Any:
        """Read the program's next line; None once it has ended."""
        process = cast(subprocess.Popen[str], self.process)
        line = cast(IO[str], process.stdout).readline()
        if line:
            return json.loads(line)
        self.away = f"the program that times them ended with code {process.wait()}"
        return None

    def _gave_up(self, name: str, messages: int) -> bool:
        return name in self.stopped and messages >= self.stopped[name]

    def _result(self, name: str, messages: int, ours: float) -> Line:
        if self._gave_up(name, messages):
            return {"stopped": f"one call for {self.stopped[name]:,} messages took longer than {TIMEOUT_S} s"}
        times = self.times[name, messages]
        median = p50(times)
        result = {"p50_ms": median, "p95_ms": p95(times), "times_ours": ratio(median, ours)}
        return {**result, "samples": len(times), "without": WITHOUT}


@contextmanager
def peers(messages: Sequence[tuple[str, str]], budget: int) -> Iterator[Peers]:
    """Start the program on messages of these roles and contents; `away` if it cannot be installed."""
    if packages.main(["bench"]) != 0:
        yield Peers(away="their packages could not be installed")
        return
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(messages, file)
        file.flush()
        argv = [packages.python_of(packages.folder_of("bench")), "-m", PROGRAM, file.name, str(budget)]
        with subprocess.Popen(  # noqa: S603  # ours
            argv, cwd=ROOT, env=clean_environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            try:
                yield Peers.met(process)
            finally:
                process.terminate()
