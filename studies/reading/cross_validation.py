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

import django
from tokenizers import Tokenizer

from apps.llm.reading.e5 import e5_file, tokenizer_json
from apps.llm.reading.reader import MessageInput, Reader
from apps.llm.reading.weights import save_weights
from studies.reading.digest import digest
from studies.reading.examples import example_of
from studies.reading.folds import FOLDS, chances_of
from studies.reading.material import rows, writers
from studies.reading.network import Network
from studies.reading.train import Recipe, train

WORK = Path(__file__).with_name("work")
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

    recipe = Recipe(epochs=options.epochs, frozen=options.frozen, seed=options.seed)
    weights = train_without(options.fold, recipe)
    write_chances(options.fold, weights, recipe)
    return 0


def train_without(fold: int, recipe: Recipe) -> Path:
    """Train on the other folds' writers; return the file of the weights."""

    source = e5_file()
    tokenizer = Tokenizer.from_str(tokenizer_json(source.vocabulary))
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


def write_chances(fold: int, weights: Path, recipe: Recipe) -> None:

    left_out = [row for writer in FOLDS[fold] for row in rows(writer)]
    read = Reader([weights]).read([MessageInput(row.text, row.before) for row in left_out])
    made = {
        "digest": digest(),
        "recipe": asdict(recipe),
        "rows": {row.id: asdict(one) for row, one in zip(left_out, read, strict=True)},
    }
    kept = chances_of(fold)
    kept.parent.mkdir(exist_ok=True)
    with gzip.open(kept, "wt", encoding="utf-8") as file:
        json.dump(made, file, ensure_ascii=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
