"""`make eval-languages`: memories in German, Spanish, French and Japanese, asked for in their language and in English.

The memories of each language (studies/memories_by_language) are in a workspace of their own. Most questions use other
words than the memory. Every second memory is held out: nothing is fitted to it. No model is called but the embedder.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

from bench._in_process_stack import product
from studies.engine.retention import FindRetention
from studies.simulate import table

FOLDER = Path(__file__).with_name("memories_by_language")
OWN, ENGLISH = "own", "english"
FITTED, HELD_OUT = "fitted", "held_out"
_DEPTHS = (1, 3)

Ranks = Mapping[tuple[str, str], FindRetention]
"""The ranks by language and by the language of the question; their kinds are the two halves."""


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="eval-languages")
    parser.add_argument("--embedder", help="the embedding model, as in the setting EMBEDDINGS")
    parser.add_argument("--verbose", action="store_true", help="list the fitted questions that are not answered first")
    options = parser.parse_args(arguments)
    chosen = {"EMBEDDINGS": options.embedder} if options.embedder else {}
    with product(**chosen):
        # It imports models, so Django must be set up first.
        harness = import_module("studies.languages_harness")
        found, missed = harness.ranks_by_language(FOLDER)
    if options.verbose:
        print("\n".join(missed), file=sys.stderr)
    print(report(found))
    print(json.dumps(numbers(found), ensure_ascii=False))
    return 0


def report(found: Ranks) -> str:
    rows = [
        (language, asked_in, *(f"{one.within(depth)} of {len(one.ranks)}" for depth in _DEPTHS), _held_out(one))
        for (language, asked_in), one in found.items()
    ]
    return table([("memories in", "asked in", "first", "within 3", "within 3, held out"), *rows])


def numbers(found: Ranks) -> dict[str, int]:
    return {
        f"{language}_{asked_in}_find_at_{depth}": one.within(depth)
        for (language, asked_in), one in found.items()
        for depth in _DEPTHS
    }


def _held_out(found: FindRetention) -> str:
    asked = sum(kind == HELD_OUT for kind, _ in found.ranks)
    return f"{found.within(3, {HELD_OUT})} of {asked}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
