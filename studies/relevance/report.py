"""`make relevance DATA=…`: whether the product finds what a question asks for, and knows when nothing answers it.

A folder of the data has `memories.json`, each with its question, and `unanswerable.json`, questions that none answers.
It becomes an account, whose search is asked. The last line is one JSON object: `at3`, the share of answerable questions
whose memory is among the first three; `auc`, of the chance of the best result, of answerable against other questions;
`precision_at_recall_90`, the share of answerable ones among all questions that get a result, at the chance from which
on 90 % of the answerable ones get one, which is `limit`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from bench._in_process_stack import product
from studies.relevance.banks import UNANSWERABLE
from studies.relevance.score import Answer, numbers
from studies.simulate import table


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="relevance")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args(arguments)
    folders = sorted(path.parent for path in options.folder.glob(f"*/{UNANSWERABLE}"))
    if not folders:
        parser.error(f"There are no banks in {options.folder}.")
    with product():
        # It imports models, so Django must be set up first.
        harness = import_module("studies.relevance.harness")
        answers = {folder.name: harness.answers_of(folder) for folder in folders}
    print(report(answers))
    print(json.dumps(numbers([one for of_bank in answers.values() for one in of_bank])))
    return 0


def report(answers: dict[str, list[Answer]]) -> str:
    rows: list[tuple[str, ...]] = [("bank", "questions", "at3", "auc", "precision_at_recall_90")]
    for name, of_bank in answers.items():
        found = numbers(of_bank)
        rows.append((name, str(len(of_bank)), *(f"{found[column]:.3f}" for column in rows[0][2:])))
    return table(rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
