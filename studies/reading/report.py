"""`make reading`: how well the reader reads writers that it was not trained on.

The chances of every row were given by a network that knew none of its writer's rows (`cross_validation.py`). They are
counted here by writer, language and register; the last line is one JSON object. `make reading TEST=FOLDER` reads the
rows of another folder of the same form with the product's network.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import django

from apps.engine.policy import Policy
from apps.engine.reading.chances import MessageRead, SpanRead
from apps.engine.reading.spans import MemorableSpan
from apps.llm.reading.installed import installed_reader
from studies.reading.digest import chances_digest
from studies.reading.folds import FOLDS, chances_of
from studies.reading.material import Pair, Row, all_writers, rows, writers
from studies.reading.pair_score import pair_numbers
from studies.reading.pairs import written_pairs
from studies.reading.reading import read_rows, reading_of
from studies.reading.score import Score, score_of
from studies.simulate import table

LEAST = Policy().memory_accepted_chance_percent / 100
"""The chance from which on the product remembers a span."""
FEWEST, OTHERS = 15, "(others)"
"""Rows of a group with a line of its own."""
COLUMNS = ("precision", "recall", "traps_taken", "subject_right", "category_right", "attribute_right")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="reading")
    parser.add_argument("--least", type=float, default=LEAST, help="the chance from which on a span counts")
    parser.add_argument("--test", type=Path, help="a folder of writers, which the product's network reads")
    parser.add_argument("--fold", type=int, action="append", help="only these folds")
    parser.add_argument("--verbose", action="store_true", help="list what counts as wrong")
    options = parser.parse_args(arguments)
    folds = options.fold or [fold for fold in range(len(FOLDS)) if chances_of(fold).exists()]
    if missing := sorted(set(range(len(FOLDS))) - set(folds)):
        print(f"Not read yet: make reading-train FOLD={missing[0]}", file=sys.stderr)
    read = tested_rows(options.test) if options.test else unseen(folds)
    scored = [(row, score_of(row, reading_of(row, reads, options.least), options.least)) for row, reads in read]
    for name, group in GROUPS.items():
        print(table([(name, "rows", *COLUMNS), *by(group, scored)]), end="\n\n")
    whole = summed(score for _, score in scored)
    if options.verbose:
        print("\n".join(whole.mistakes), file=sys.stderr)
    source = {"test": str(options.test)} if options.test else {"folds": folds}
    known, chances = tested_pairs(options.test) if options.test else unseen_pairs(folds)
    compared = pair_numbers(known, chances) if known else {}
    print(json.dumps({"rows": whole.rows, **whole.numbers(), "least": options.least, **compared} | source))
    return 0


GROUPS: Mapping[str, Callable[[Row], str]] = {
    "writer": lambda row: row.writer,
    "language": lambda row: row.language,
    "register": lambda row: row.register,
}


def unseen(folds: Iterable[int]) -> list[tuple[Row, list[MessageRead]]]:
    return [one for fold in folds for one in unseen_rows(fold)]


def tested_rows(folder: Path) -> list[tuple[Row, list[MessageRead]]]:
    """The rows of a folder of writers, as the product's network reads them."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.mypy")
    django.setup()
    return list(read_rows(installed_reader(), [row for writer in writers(folder) for row in rows(writer, folder)]))


def tested_pairs(folder: Path) -> tuple[list[Pair], list[list[float]]]:
    """The pairs of statements of a folder of writers, as the product's network reads them."""
    reader = installed_reader()
    tested = [pair for writer in all_writers(folder) for pair in written_pairs(writer, folder)]
    return tested, reader.relations([(pair.old, pair.new) for pair in tested]) if tested else []


def unseen_pairs(folds: Iterable[int]) -> tuple[list[Pair], list[list[float]]]:
    """The pairs of statements of the folds' writers with what was read."""
    made = {name: chances for fold in folds for name, chances in stored(fold)["pairs"].items()}
    unseen = [pair for fold in folds for writer in FOLDS[fold] for pair in written_pairs(writer) if pair.id in made]
    return unseen, [made[pair.id] for pair in unseen]


def by(group: Callable[[Row], str], scored: Sequence[tuple[Row, Score]]) -> list[tuple[str, ...]]:
    """A line of the table for each group; small ones share one."""
    names = Counter(group(row) for row, _ in scored)
    groups: defaultdict[str, list[Score]] = defaultdict(list)
    for row, score in scored:
        groups[group(row) if names[group(row)] >= FEWEST else OTHERS].append(score)
    sums = {name: summed(scores) for name, scores in sorted(groups.items())}
    return [
        (name, str(score.rows), *(f"{score.numbers()[column]:.3f}" for column in COLUMNS))
        for name, score in sums.items()
    ]


def summed(scores: Iterable[Score]) -> Score:
    whole = Score()
    for score in scores:
        whole += score
    return whole


def unseen_rows(fold: int) -> list[tuple[Row, list[MessageRead]]]:
    """The rows of a fold's writers with what was read."""
    made = stored(fold)["rows"]
    return [(row, [read_of(one) for one in made[row.id]]) for writer in FOLDS[fold] for row in rows(writer)]


def stored(fold: int) -> dict[str, Any]:
    """What was read of a fold's writers; raises SystemExit if that was made from something else."""
    file = chances_of(fold)
    if not file.exists():
        raise SystemExit(f"{file} is not there: make reading-train FOLD={fold}")
    with gzip.open(file, "rt", encoding="utf-8") as packed:
        made = json.load(packed)
    if made["digest"] != chances_digest(made["recipe"]):
        raise SystemExit(f"{file} was made from other material or code: make reading-train FOLD={fold}")
    return dict(made)


def read_of(stored: Mapping[str, Any]) -> MessageRead:
    spans = [span_of(one) for one in stored["spans"]]
    wanted = stored["to_remember"]
    return MessageRead(**{**stored, "spans": spans, "to_remember": span_of(wanted) if wanted else None})


def span_of(stored: Mapping[str, Any]) -> SpanRead:
    return SpanRead(**{**stored, "span": MemorableSpan(**stored["span"])})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
