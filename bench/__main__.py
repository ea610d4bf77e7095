"""`python -m bench [--accept] [name …]`: run the named benchmarks, or all of them, and compare them with limits.toml.

Every line of results is one JSON object with the values and bounds of its limits. The exit code is 1 if one was not
kept, if a limit had no line, or if a benchmark ended with an error; the others still run.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
import traceback
from collections.abc import Iterator

import bench
from bench._accepted import accept
from bench._limits import Limit, Line, judged, limits, over, unmet

ACCEPT = "--accept"


def main(arguments: list[str]) -> int:
    names = [name for name in arguments if name != ACCEPT]
    known = sorted(found.name for found in pkgutil.iter_modules(bench.__path__) if not found.name.startswith("_"))
    if unknown := [name for name in names if name not in known]:
        print(f"There is no benchmark called {unknown[0]}; there are: {', '.join(known)}.", file=sys.stderr)
        return 2
    kept = [_run(name, accepting=ACCEPT in arguments) for name in names or known]
    return 0 if all(kept) else 1


def _run(name: str, *, accepting: bool) -> bool:
    """Print the lines of one benchmark; return whether it ended and kept its limits."""
    of_bench, lines = limits(name), []
    try:
        for line in _lines(name, of_bench):
            print(json.dumps(line, ensure_ascii=False), flush=True)
            lines.append(line)
    except Exception as error:  # whatever it was: it is printed, and the next benchmark runs
        traceback.print_exc()
        print(json.dumps({"bench": name, "died": f"{type(error).__name__}: {error}"}), flush=True)
        return False
    faults = list(_faults(lines, of_bench))
    for fault in faults:
        print(f"{name}: {fault}", file=sys.stderr)
    if accepting and not faults:
        accept(name, lines)
    return not faults


def _lines(name: str, of_bench: list[Limit]) -> Iterator[Line]:
    measured = importlib.import_module(f"bench.{name}").measure()
    for line in [measured] if isinstance(measured, dict) else measured:
        yield judged(line, of_bench)


def _faults(lines: list[Line], of_bench: list[Limit]) -> Iterator[str]:
    for line in lines:
        for figure in over(line):
            verdict = line["limits"][figure]
            yield f"{figure} of {line['bench']} is {verdict['value']:g}, and must be {verdict['bound']}."
    for limit in unmet(lines, of_bench):
        yield f"No line {limit.line} {dict(limit.where) or ''} was printed, so {limit.name} was not compared."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
