"""`make updates DATA=FOLDER`: pairs of messages some days apart, and what the later one does to the earlier one.

A folder has writers with `pairs.jsonl`. Each pair is told by a person of its own in two chats, and read without any
model. The last line is one JSON object: `replaced_right`, the share of what is replaced, ended or corrected that is not
current any more while the later statement, if there is one, is; `wrongly_superseded`, of pairs that both hold, the
share of which something is not current; `stale`, of the questions with an outdated word, the share in whose first three
results or in whose pack it is given as if it held; `unread`, the share of pairs of which nothing was remembered.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from bench._in_process_stack import product
from studies.simulate import table

CHANGING, HOLDING = ("replaces", "ends", "corrects"), ("refines", "same", "both")
FILE = "pairs.jsonl"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="updates")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--verbose", action="store_true", help="list every pair that is not right")
    options = parser.parse_args(arguments)
    pairs = [pair for file in sorted(options.folder.glob(f"*/{FILE}")) for pair in read_pairs(file)]
    if not pairs:
        parser.error(f"There are no pairs in {options.folder}.")
    with product():
        # It imports models, so Django must be set up first.
        results = list(import_module("studies.updates.pairs_harness").results_of(pairs))
    if options.verbose:
        print("\n".join(_problem(one) for one in results if not one.is_right), file=sys.stderr)
    print(report(results))
    print(json.dumps(numbers(results)))
    return 0


def read_pairs(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def report(results: Sequence[Any]) -> str:
    rows: list[tuple[str, ...]] = [("relation", "pairs", "right", "stale")]
    for relation in (*CHANGING, *HOLDING):
        part = [one for one in results if one.pair["relation"] == relation]
        asked = [one for one in part if one.has_question]
        right, stale = share(one.is_right for one in part), share(one.is_stale for one in asked)
        rows.append((relation, str(len(part)), f"{right:.3f}", f"{stale:.3f}"))
    return table(rows)


def numbers(results: Sequence[Any]) -> dict[str, float]:
    changing = [one for one in results if one.pair["relation"] in CHANGING]
    holding = [one for one in results if one.pair["relation"] in HOLDING]
    asked = [one for one in results if one.has_question]
    return {
        "pairs": len(results),
        "replaced_right": share(one.is_right for one in changing),
        "wrongly_superseded": share(not one.is_right for one in holding),
        "stale": share(one.is_stale for one in asked),
        "unread": share(one.is_unread for one in results),
    }


def share(marks: Iterable[bool]) -> float:
    found = list(marks)
    return round(sum(found) / len(found), 3) if found else 0.0


def _problem(result: Any) -> str:
    pair = result.pair
    return f"{pair['id']} {pair['relation']}: {pair['old']!r} -> {pair['new']!r}: {result.states}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
