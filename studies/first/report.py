"""`make first-sentences FOLDER=…`: what scripted newcomers tell a chat, sentence by sentence, and what becomes of it.

A file is a person. What they say is stored as messages of a chat, and everything that is due runs, without a model.
Then the memories, the inbox and what a new chat is sent are compared with what the file expects. The last line is one
JSON object, with the share of each kind of check that came out right.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path

from bench._in_process_stack import product
from studies.first.checks import KINDS, Checks, Newcomer
from studies.simulate import table


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="first-sentences")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--verbose", action="store_true", help="list every check that did not come out right")
    options = parser.parse_args(arguments)
    files = sorted(options.folder.glob("*.json"))
    if not files:
        parser.error(f"There are no files in {options.folder}.")
    people = [Newcomer.parse(json.loads(file.read_text(encoding="utf-8"))) for file in files]
    with product():
        # It imports models, so Django must be set up first.
        harness = import_module("studies.first.harness")
        checks = harness.checks_of(people)
    if options.verbose:
        print("\n".join(f"{name}: {one}" for name, found in checks.items() for one in found.failed), file=sys.stderr)
    print(report(checks))
    print(json.dumps(numbers(checks.values())))
    return 0


def report(checks: Mapping[str, Checks]) -> str:
    rows: list[tuple[str, ...]] = [("newcomer", *KINDS)]
    rows += [(name, *(f"{found.right[kind]}/{found.all[kind]}" for kind in KINDS)) for name, found in checks.items()]
    return table(rows)


def numbers(checks: Iterable[Checks]) -> dict[str, float]:
    right, every = Counter[str](), Counter[str]()
    for one in checks:
        right += one.right
        every += one.all
    names = {kind: kind if kind == "pack_clean" else f"{kind}_right" for kind in KINDS}
    return {name: round(right[kind] / max(1, every[kind]), 3) for kind, name in names.items()} | {
        "checks": every.total()
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
