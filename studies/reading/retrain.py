"""`make reading-train`: train the folds' networks for the report, and the product's."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace

import django

from studies.reading.cross_validation import cross_validate
from studies.reading.final import SEEDS, network_train
from studies.reading.folds import FOLDS
from studies.reading.train import Recipe


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="reading-train")
    parser.add_argument("--fold", type=int, choices=range(len(FOLDS)), help="only this fold")
    parser.add_argument("--seed", type=int, help="only the product's network of this seed")
    parser.add_argument("--epochs", type=int, default=Recipe.epochs)
    parser.add_argument("--frozen", type=int, default=Recipe.frozen, help="lowest layers that are not changed")
    parser.add_argument("--extended", action="store_true", help="with conversations and pairs of statements")
    options = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.mypy")
    django.setup()

    recipe = Recipe(epochs=options.epochs, frozen=options.frozen, extended=options.extended)
    is_everything = options.fold is None and options.seed is None
    for fold in range(len(FOLDS)) if is_everything else [options.fold][: options.fold is not None]:
        cross_validate(fold, recipe)
    for seed in range(SEEDS) if is_everything else [options.seed][: options.seed is not None]:
        network_train(replace(recipe, seed=seed))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
