"""`python -m studies.reading.report`: how well the reader reads writers that it was not trained on.

The chances of every row were given by a network that knew none of its writer's rows (`cross_validation.py`). They are
counted here by writer and language; the last line is one JSON object.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from apps.engine.reading.certainty import certainty
from apps.engine.reading.labels import CATEGORIES, CHANGES, COMMANDS
from studies.reading.digest import digest
from studies.reading.folds import FOLDS, chances_of
from studies.reading.material import Row, Span, attributes, rows
from studies.reading.score import Candidate, Reading, Score, score_of
from studies.simulate import table

LEAST = 0.75
"""The chance from which on a span is kept."""
COMMAND = 0.5
COLUMNS = ("precision", "recall", "traps_taken", "subject_right", "category_right", "attribute_right")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="reading")
    parser.add_argument("--least", type=float, default=LEAST, help="the chance from which on a span is kept")
    parser.add_argument("--fold", type=int, action="append", help="only these folds")
    parser.add_argument("--verbose", action="store_true", help="list what is kept though it should not be")
    options = parser.parse_args(arguments)
    read = [one for fold in options.fold or range(len(FOLDS)) for one in unseen_rows(fold)]
    scored = [(row, score_of(row, reading, options.least)) for row, reading in read]
    for name, group in GROUPS.items():
        print(table([(name, "rows", *COLUMNS), *by(group, scored)]), end="\n\n")
    whole = summed(score for _, score in scored)
    if options.verbose:
        print("\n".join(whole.mistakes), file=sys.stderr)
    print(json.dumps({"rows": whole.rows, **whole.numbers(), "least": options.least}))
    return 0


GROUPS: Mapping[str, Callable[[Row], str]] = {
    "writer": lambda row: row.writer,
    "language": lambda row: row.language,
}


def by(group: Callable[[Row], str], scored: Sequence[tuple[Row, Score]]) -> list[tuple[str, ...]]:
    """A line of the table for each group."""
    groups: defaultdict[str, list[Score]] = defaultdict(list)
    for row, score in scored:
        groups[group(row)].append(score)
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


def unseen_rows(fold: int) -> list[tuple[Row, Reading]]:
    """The rows of a fold's writers with what was read; raises SystemExit if that was made from something else."""
    file = chances_of(fold)
    if not file.exists():
        raise SystemExit(f"{file} is not there: python -m studies.reading.cross_validation {fold}")
    with gzip.open(file, "rt", encoding="utf-8") as packed:
        made = json.load(packed)
    if made["digest"] != digest():
        raise SystemExit(
            f"{file} was made from other material or code: python -m studies.reading.cross_validation {fold}"
        )
    return [(row, reading_of(made["rows"][row.id])) for writer in FOLDS[fold] for row in rows(writer)]


def reading_of(read: Mapping[str, Any]) -> Reading:
    command = COMMANDS[best(read["command"])] if max(read["command"]) >= COMMAND else ""
    return Reading(tuple(map(candidate_of, read["spans"])), command, read["commanded"])


def candidate_of(span: Mapping[str, Any]) -> Candidate:
    place = span["span"]
    return Candidate(
        Span(place["start"], place["end"]),
        certainty(place["chance"], span["memorable"], span["secret"]),
        span["about"] or "user",
        CATEGORIES[best(span["category"])],
        ("", *attributes())[best(span["attribute"])],
        CHANGES[best(span["change"])],
    )


def best(chances: Sequence[float]) -> int:
    return max(range(len(chances)), key=chances.__getitem__)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
