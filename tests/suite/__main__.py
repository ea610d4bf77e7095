"""`python -m tests.suite [--record]`: every check and every test, in lanes beside each other; what `make test` runs.

Each lane's output is printed when the lane has ended: all of it after a failure, else its last lines. At the end stand
the slowest tests, the tests over their budget, and the sum of all outcomes. `--record` writes the durations of the test
files, by which the next runs begin with the longest.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from config.stack.process import ROOT
from tests.suite.durations import record
from tests.suite.lanes import Lane, lanes
from tests.suite.measure import SHOWN

LAST_LINES = 3


@dataclass(frozen=True)
class Ended:
    """A lane that has ended."""

    lane: Lane
    failed: bool
    seconds: float
    cpu_s: float
    output: str

    def print(self) -> None:
        lines = self.output.splitlines()
        outcome = "failed" if self.failed else "passed"
        print(f"\n== {self.lane.name}: {outcome}, {self.seconds:.0f} s, {self.cpu_s:.0f} s of processor time")
        print("\n".join(lines if self.failed else lines[-LAST_LINES:]), flush=True)


def main(arguments: list[str]) -> int:
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="continuity-suite-") as temporary:
        failed = run_all(Path(temporary))
        reports = [json.loads(file.read_text()) for file in sorted(Path(temporary).glob("*.json"))]
    print_costs(reports)
    if "--record" in arguments:
        record(reports)
    print(summary(reports, failed, time.monotonic() - began))
    return 1 if failed else 0


def run_all(folder: Path) -> list[str]:
    """Run every lane, a few at once; return the names of those that failed."""
    failed, interrupted = [], Event()
    with ThreadPoolExecutor(max_workers=1 + (os.cpu_count() or 1)) as pool:
        running = [pool.submit(run, lane, folder, interrupted) for lane in lanes(folder)]
        try:
            for future in as_completed(running):
                ended = future.result()
                ended.print()
                failed += [ended.lane.name] if ended.failed else []
        except KeyboardInterrupt:
            interrupted.set()
            raise
    return failed


def run(lane: Lane, folder: Path, interrupted: Event) -> Ended:
    """Run a lane's commands, also after one has failed; Ctrl-C ends the present ones, and no other begins."""
    began, cpu_s, failed = time.monotonic(), 0.0, False
    log = folder / f"{lane.name}.log"
    with log.open("wb") as output:
        for command in lane.commands:
            if interrupted.is_set():
                break
            process = subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=output, stderr=subprocess.STDOUT)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            failed |= process.returncode != 0
            cpu_s += usage.ru_utime + usage.ru_stime
    return Ended(lane, failed, time.monotonic() - began, cpu_s, log.read_text(errors="replace"))


def environment() -> dict[str, str]:
    """Ours, but compiled modules are kept: otherwise every process would compile the tests and the product again."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def print_costs(reports: list[dict[str, Any]]) -> None:
    """Print the slowest tests and those over their budget; time depends on the machine, so neither fails a run."""
    slowest = sorted((test for report in reports for test in report["slowest"]), key=lambda test: -test[1])
    print(f"\n== the {SHOWN} slowest tests, waiting included")
    for nodeid, seconds in slowest[:SHOWN]:
        print(f"{seconds:7.1f} s  {nodeid}")
    for nodeid, cpu_s in (test for report in reports for test in report["over"].items()):
        print(f'over budget: {cpu_s:.1f} s of processor time, and not marked slow("why"): {nodeid}')


def summary(reports: list[dict[str, Any]], failed: list[str], seconds: float) -> str:
    """The last line, like pytest's own."""
    outcomes: Counter[str] = Counter()
    for report in reports:
        outcomes.update(report["outcomes"])
    counts = ", ".join(
        f"{outcomes[name]} {name}" for name in ("failed", "error", "passed", "skipped") if outcomes[name]
    )
    lanes_failed = f"; failed: {', '.join(sorted(failed))}" if failed else ""
    return f"{counts} in {seconds:.0f} s{lanes_failed}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
