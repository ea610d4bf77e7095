"""`python -m studies.reading.cross_validation FOLD`: train without a fold's writers, then read their rows.

The chances that it gives are written to `chances/FOLD.json.gz`, with the digest of what they were made from. An
interrupted training goes on from its last epoch.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import django

from studies.reading.digest import digest

HERE = Path(__file__).parent
CHANCES = HERE / "chances"
WORK = HERE / "work"
"""Checkpoints and weights of folds, which are not kept."""


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="reading-train")
    parser.add_argument("fold", type=int)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--frozen", type=int, default=6, help="of the lowest layers; they stay as they are")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.mypy")
    django.setup()
    from studies.reading.train import Recipe  # noqa: PLC0415  # torch is slow to import

    recipe = Recipe(epochs=options.epochs, frozen=options.frozen, seed=options.seed)
    weights = train_without(options.fold, recipe)
    write_chances(options.fold, weights, asdict(recipe))
    return 0


def train_without(fold: int, recipe: Any) -> Path:
    """Train on the other folds' writers; return the file of the weights."""
    from apps.llm.reading.e5 import e5_file  # noqa: PLC0415  # torch is slow to import
    from apps.llm.reading.weights import save_weights  # noqa: PLC0415
    from studies.reading.examples import example_of, tokenizer_of  # noqa: PLC0415
    from studies.reading.folds import FOLDS  # noqa: PLC0415
    from studies.reading.material import rows, writers  # noqa: PLC0415
    from studies.reading.network import Network  # noqa: PLC0415
    from studies.reading.train import train  # noqa: PLC0415

    source = e5_file()
    tokenizer = tokenizer_of(source)
    known = [writer for writer in writers() if writer not in FOLDS[fold]]
    examples = [example_of(row, tokenizer) for writer in known for row in rows(writer)]
    print(f"{len(examples)} rows of {len(known)} writers", file=sys.stderr)
    WORK.mkdir(exist_ok=True)
    network, name = Network(source), f"fold-{fold}-{digest(*asdict(recipe).values())}"
    train(network, examples, recipe, checkpoint := WORK / f"{name}.checkpoint")
    file = WORK / f"{name}.npz"
    save_weights(file, network.tensors())
    checkpoint.unlink()
    return file


def write_chances(fold: int, weights: Path, recipe: dict[str, Any]) -> None:
    from apps.llm.reading.reader import MessageInput, Reader  # noqa: PLC0415
    from studies.reading.folds import FOLDS  # noqa: PLC0415
    from studies.reading.material import rows  # noqa: PLC0415

    left_out = [row for writer in FOLDS[fold] for row in rows(writer)]
    read = Reader([weights]).read([MessageInput(row.text, row.before) for row in left_out])
    made = {
        "digest": digest(),
        "recipe": recipe,
        "rows": {row.id: asdict(one) for row, one in zip(left_out, read, strict=True)},
    }
    CHANCES.mkdir(exist_ok=True)
    with gzip.open(CHANCES / f"{fold}.json.gz", "wt", encoding="utf-8") as file:
        json.dump(made, file, ensure_ascii=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
