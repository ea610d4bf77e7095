"""The cross-validation: train without a fold's writers, then read their rows.

The chances that it gives are written to `chances/FOLD.json.gz`, with the digest of what they were made from.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from apps.llm.reading.reader import Reader
from studies.reading.digest import chances_digest
from studies.reading.folds import FOLDS, chances_of
from studies.reading.material import pairs, rows
from studies.reading.reading import read_rows
from studies.reading.train import Recipe
from studies.reading.trainings import WORK, is_committed, trained_without


def cross_validate(fold: int, recipes: Sequence[Recipe]) -> None:
    """Train on the other folds' writers, unless that was done, and write what is read of the fold's."""
    reader = Reader([trained_without(FOLDS[fold], recipe, f"fold-{fold}") for recipe in recipes])
    unseen = [row for writer in FOLDS[fold] for row in rows(writer)]
    unseen_pairs = [pair for writer in FOLDS[fold] for pair in pairs(writer)]
    relations = reader.relations([(pair.old, pair.new) for pair in unseen_pairs])
    used = [asdict(recipe) for recipe in recipes]
    made = {
        "digest": chances_digest(used),
        "recipes": used,
        "pairs": {pair.id: rounded(one) for pair, one in zip(unseen_pairs, relations, strict=True)},
        "rows": {row.id: [rounded(asdict(one)) for one in reads] for row, reads in read_rows(reader, unseen)},
    }
    file = chances_of(fold) if all(map(is_committed, recipes)) else WORK / chances_of(fold).name
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
