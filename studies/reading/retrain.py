"""`make reading-train`: train the folds' networks for the report, and the product's one."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

import django

from studies.reading.cross_validation import cross_validate
from studies.reading.final import network_train
from studies.reading.folds import FOLDS
from studies.reading.trainings import READER, with_epochs


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="reading-train")
    parser.add_argument("--fold", type=int, choices=range(len(FOLDS)), help="only this fold")
    parser.add_argument("--epochs", type=int, help="another number than the recipe has, for a trial")
    options = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.mypy")
    django.setup()

    folds = range(len(FOLDS)) if options.fold is None else [options.fold]
    for fold in folds:
        cross_validate(fold, options.epochs)
    if options.fold is None:
        network_train(with_epochs(READER, options.epochs) if options.epochs else READER)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
