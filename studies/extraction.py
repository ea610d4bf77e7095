"""`make extract DATA=…`: which memories are made from labeled conversations, without any model.

A line of the file (JSON, gzip) is a conversation with its messages, memories, traps and questions. Each is imported
into a workspace of its own and read by the product's job; what is stored, and what superseded what, is compared with
the labels.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from bench._in_process_stack import product
from studies.engine.extraction_score import ExtractionScore, Labeled
from studies.simulate import table


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="extract")
    parser.add_argument("data", type=Path)
    parser.add_argument(
        "--provider", choices=("scripted",), help="read with a local server that answers with the labels"
    )
    parser.add_argument("--verbose", action="store_true", help="list every candidate that is not right")
    options = parser.parse_args(arguments)
    if not options.data.is_file():
        parser.error(f"There is no file {options.data}.")
    with gzip.open(options.data, "rt", encoding="utf-8") as lines:
        raw = [json.loads(line) for line in lines]
    conversations = [Labeled.parse(one) for one in raw]
    with product():
        # They import models, so Django must be set up first.
        harness = import_module("studies.extraction_harness")
        if options.provider:
            harness = import_module("studies.extraction_provider").ScriptedHarness(harness, raw)
        score = measured(harness, conversations)
        numbers = harness.numbers() if options.provider else {}
    if options.verbose:
        print("\n".join(score.problems), file=sys.stderr)
    print(report(score))
    print(json.dumps(score.numbers() | numbers))
    return 0


def measured(harness: Any, conversations: Sequence[Labeled]) -> ExtractionScore:
    score = ExtractionScore()
    for read in harness.read_conversations(conversations):
        labels = score.note(read.labeled, read.stored)
        score.note_links(read.labeled, read.stored, labels, read.links)
        for question in read.labeled.questions:
            if question.stale:
                _note_answer(score, read, labels, question)
    return score


def _note_answer(score: ExtractionScore, read: Any, labels: Mapping[int, str], question: Any) -> None:
    """Count what no longer holds among the first hits, apart from what is shown with what may replace it."""
    hits = read.first_hits(question.question)
    stale = [disputed for position, disputed in hits if labels.get(position) in question.stale]
    is_stale = not all(stale) or _stands_alone(read, question)
    score.note_answer(is_stale=is_stale, is_disputed=any(stale))
    if is_stale:
        score.problems.append(f"{read.labeled.id} stale: {question.question} {question.stale}")


def _stands_alone(read: Any, question: Any) -> bool:
    """Whether a pack shows words that no longer hold without those that replaced them."""
    quotes = {label.id: label.quote for label in read.labeled.labels}
    pack = read.pack(question.question)
    return quotes[question.answer] not in pack and any(quotes[one] in pack for one in question.stale)


def report(score: ExtractionScore) -> str:
    rows = [("memories", "found", "of", "recall", "precision")]
    for group, counts in score.counts_by.items():
        precision = f"{score.precision(group):.2f}" if counts["right"] or counts["wrong"] else ""
        rows.append((group, str(counts["found"]), str(counts["labels"]), f"{score.recall(group):.2f}", precision))
    return table(rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
