"""`make reading-train`: train the folds' networks for the report, and the product's."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

import django

from studies.reading.cross_validation import cross_validate
from studies.reading.final import network_train
from studies.reading.folds import FOLDS
from studies.reading.trainings import recipes


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="reading-train")
    parser.add_argument("--fold", type=int, choices=range(len(FOLDS)), help="only this fold")
    parser.add_argument("--seed", type=int, help="only the product's network of this seed")
    parser.add_argument("--epochs", type=int, help="another number than the recipes have, for a trial")
    options = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.mypy")
    django.setup()

    networks = recipes(options.epochs)
    is_everything = options.fold is None and options.seed is None
    for fold in range(len(FOLDS)):
        if is_everything or fold == options.fold:
            cross_validate(fold, networks)
    for network in networks:
        if is_everything or network.seed == options.seed:
            network_train(network)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
