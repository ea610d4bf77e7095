"""`make updates [COUNT=…]`: facts that change, told in varied words, and whether a later value replaces an earlier one.

Each generated history is told by a person of its own, in one conversation or several, and read without any model.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from bench._in_process_stack import product
from studies.engine.update_histories import KINDS, histories
from studies.simulate import table


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="updates")
    parser.add_argument("count", type=int, nargs="?", default=1_000)
    parser.add_argument("--verbose", action="store_true", help="list every history that is not right")
    options = parser.parse_args(arguments)
    with product():
        # It imports models, so Django must be set up first.
        results = list(
            import_module("studies.updates.histories_harness").read_histories(list(histories(options.count)))
        )
    if options.verbose:
        print("\n".join(filter(None, map(_problem, results))), file=sys.stderr)
    print(report(results))
    print(json.dumps(numbers(results)))
    return 0


def report(results: Sequence[Any]) -> str:
    rows: list[tuple[str, ...]] = [("kind", "histories", "stale", "collateral", "as of", "undo")]
    for kind in KINDS:
        part = [one for one in results if one.history.kind == kind.name]
        values = numbers(part)
        shares = (str(values[name]) for name in ("stale_in_pack", "collateral", "as_of_right", "undo_right"))
        rows.append((kind.name, str(len(part)), *shares))
    return table(rows)


def numbers(results: Iterable[Any]) -> dict[str, float]:
    counts = Counter[str]()
    for one in results:
        counts.update(
            histories=1,
            stale=one.is_stale,
            others=one.others,
            superseded_others=one.superseded_others,
            periods=one.periods,
            right=one.right,
            restored=one.is_restored,
        )
    return {
        "histories": counts["histories"],
        "stale_in_pack": _share(counts["stale"], counts["histories"]),
        "collateral": _share(counts["superseded_others"], counts["others"]),
        "as_of_right": _share(counts["right"], counts["periods"]),
        "undo_right": _share(counts["restored"], counts["histories"]),
    }


def _problem(one: Any) -> str:
    faults = [
        *(["stale"] if one.is_stale else []),
        *(["collateral"] if one.superseded_others else []),
        *([f"as of {one.right} of {one.periods}"] if one.right < one.periods else []),
        *([] if one.is_restored else ["undo"]),
    ]
    return f"{', '.join(faults)}: {' / '.join(one.history.statements)}" if faults else ""


def _share(part: float, whole: float) -> float:
    return round(part / whole, 4) if whole else 0.0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
