"""`make eval-languages`: memories in German, Spanish, French and Japanese, asked for in their language and in English.

The memories of each language (memories/) are in a workspace of their own. Most questions use other
words than the memory. Every second memory is held out: nothing is fitted to it. No model is called but the embedder.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from importlib import import_module

from bench._in_process_stack import product
from studies.languages.ranks import FOLDER, numbers, report


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="eval-languages")
    parser.add_argument("--embedder", help="the embedding model, as in the setting EMBEDDINGS")
    parser.add_argument("--verbose", action="store_true", help="list the fitted questions that are not answered first")
    options = parser.parse_args(arguments)
    chosen = {"EMBEDDINGS": options.embedder} if options.embedder else {}
    with product(**chosen):
        # It imports models, so Django must be set up first.
        harness = import_module("studies.languages.harness")
        found, missed = harness.ranks_by_language(FOLDER)
    if options.verbose:
        print("\n".join(missed), file=sys.stderr)
    print(report(found))
    print(json.dumps(numbers(found), ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
