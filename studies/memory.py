"""`make eval-memory DATA=…`: from labeled conversations to packs and searches, without any model.

Each conversation of the file (JSON lines, gzip; as for `make extract`) is imported into a workspace of its own and read
for memories by the product's job. Each of its questions then becomes the current message of a new conversation and of
the same one, with a pack of 4,000 tokens: does the pack hold the answer, from memories and messages together, and does
it show a value that no longer holds without its correction? The questions of other conversations of the same language
have no answer here: a search should find nothing relevant for them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from bench._in_process_stack import product
from studies.engine.extraction_score import Labeled
from studies.simulate import table


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="eval-memory")
    parser.add_argument("data", type=Path)
    parser.add_argument("--verbose", action="store_true", help="list every question that is not answered right")
    options = parser.parse_args(arguments)
    if not options.data.is_file():
        parser.error(f"There is no file {options.data}.")
    with gzip.open(options.data, "rt", encoding="utf-8") as lines:
        conversations = [Labeled.parse(json.loads(line)) for line in lines]
    began = time.perf_counter()
    with product():
        # It imports models, so Django must be set up first.
        score = import_module("studies.memory_harness").measured(conversations)
    if options.verbose:
        print("\n".join(score.problems), file=sys.stderr)
    print(table(list(score.rows())))
    print(json.dumps({**score.numbers(), "seconds": round(time.perf_counter() - began, 1)}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
