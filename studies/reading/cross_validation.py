"""The cross-validation: train without a fold's writers, then read their rows.

The chances that it gives are written to `chances/FOLD.json.gz`, with the digest of what they were made from.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict, replace
from typing import Any

from apps.llm.reading.reader import Reader
from studies.reading.digest import chances_digest
from studies.reading.folds import FOLDS, chances_of
from studies.reading.material import rows
from studies.reading.pairs import written_pairs
from studies.reading.reading import read_rows
from studies.reading.trainings import WORK, reader_recipe, trained, with_epochs


def cross_validate(fold: int, epochs: int | None = None) -> None:
    """Train on the other folds' writers, unless that was done, and write what is read of the fold's.

    What is read by networks of so many epochs, as a trial, goes to the folder of trials.
    """
    recipe = reader_recipe(FOLDS[fold])
    reader = Reader(trained(with_epochs(recipe, epochs) if epochs else recipe))
    unseen = [row for writer in FOLDS[fold] for row in rows(writer)]
    unseen_pairs = [pair for writer in FOLDS[fold] for pair in written_pairs(writer)]
    relations = reader.relations([(pair.old, pair.new) for pair in unseen_pairs])
    made = {
        "digest": chances_digest(asdict(recipe)),
        "recipe": asdict(recipe),
        "pairs": {pair.id: rounded(one) for pair, one in zip(unseen_pairs, relations, strict=True)},
        "rows": {
            row.id: [rounded(asdict(replace(one, whole=None))) for one in reads]
            for row, reads in read_rows(reader, unseen)
        },
    }
    file = WORK / chances_of(fold).name if epochs else chances_of(fold)
    file.parent.mkdir(exist_ok=True)
    with gzip.GzipFile(file, "wb", mtime=0) as packed:
        packed.write(json.dumps(made, ensure_ascii=False).encode())


def rounded(value: Any) -> Any:
    """A value with all chances in three digits: more would only fill the file."""
    if isinstance(value, float):
        return round(value, 3)
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, (list, tuple)) else value
