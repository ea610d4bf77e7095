"""Those beside whom we are measured: installed apart, and timed by a program that runs there."""

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
from config.stack import bootstrap
from config.stack.process import ROOT, clean_environment

PROGRAM = "bench._packs.competitor_runner"
# No call may take longer, and who takes more than a second is asked once.
MOST_S = 8
SLOW_MS = 1_000
WITHOUT = "reading the messages from a database: they are Python objects already"

Line = dict[str, Any]


@dataclass
class Peers:
    """Their times so far, by name and number of messages; `away` says why there are none.

    `stopped` are those for whom so many messages were too many.
    """

    away: str = ""
    process: subprocess.Popen[str] | None = None
    names: Sequence[str] = ()
    times: defaultdict[tuple[str, int], list[float]] = field(default_factory=lambda: defaultdict(list))
    stopped: dict[str, int] = field(default_factory=dict)

    @classmethod
    def met(cls, process: subprocess.Popen[str]) -> Peers:
        """The first that their program says is whom it times."""
        found = cls(process=process)
        found.names = found._heard() or ()
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
                yield {"bench": "pack_peers", "peer": name, "messages": messages, **self._told(name, messages, took)}

    def _time(self, name: str, messages: int) -> None:
        asked = json.dumps({"peer": name, "messages": messages, "most_s": MOST_S})
        # That it has ended is heard below.
        with suppress(BrokenPipeError):
            print(asked, file=cast(subprocess.Popen[str], self.process).stdin, flush=True)
        match self._heard():
            case {"took_ms": float(took)}:
                self.times[name, messages].append(took)
            case {"took_ms": None}:
                self.stopped[name] = messages

    def _heard(self) -> Any:
        """What their program answers; nothing once it has ended."""
        process = cast(subprocess.Popen[str], self.process)
        line = cast(IO[str], process.stdout).readline()
        if line:
            return json.loads(line)
        self.away = f"the program that times them ended with code {process.wait()}"
        return None

    def _gave_up(self, name: str, messages: int) -> bool:
        return name in self.stopped and messages >= self.stopped[name]

    def _told(self, name: str, messages: int, ours: float) -> Line:
        if self._gave_up(name, messages):
            return {"stopped": f"one call for {self.stopped[name]:,} messages took longer than {MOST_S} s"}
        times = self.times[name, messages]
        median = p50(times)
        told = {"p50_ms": median, "p95_ms": p95(times), "times_ours": ratio(median, ours)}
        return {**told, "samples": len(times), "without": WITHOUT}


@contextmanager
def peers(said: Sequence[tuple[str, str]], budget: int) -> Iterator[Peers]:
    """Ready to be timed on messages of these roles and contents, if they can be had."""
    if bootstrap.main(["--bench"]) != 0:
        yield Peers(away="requirements-bench.txt could not be installed")
        return
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(said, file)
        file.flush()
        argv = [bootstrap.python_of(bootstrap.BENCH_VENV), "-m", PROGRAM, file.name, str(budget)]
        with subprocess.Popen(  # noqa: S603  # ours
            argv, cwd=ROOT, env=clean_environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            try:
                yield Peers.met(process)
            finally:
                process.terminate()
