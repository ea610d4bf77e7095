"""`python -m studies.words FILE`: memories that are asked for by a word, an identifier, a number or a part of one.

The file has `memories`, a list of texts, and `queries`, each with its text `q` and the place of the `wanted` memory, or
null where no memory shares its words. All memories are in one workspace.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from bench._in_process_stack import product


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="words")
    parser.add_argument("file", type=Path)
    parser.add_argument("--verbose", action="store_true", help="list the queries whose memory is not the first")
    options = parser.parse_args(arguments)
    with product():
        # It imports models, so Django must be set up first.
        harness = import_module("studies.words.harness")
        ranks = harness.ranks_of(json.loads(options.file.read_text(encoding="utf-8")))
    if options.verbose:
        print("\n".join(ranks.missed()), file=sys.stderr)
    print(json.dumps(ranks.numbers(), ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
