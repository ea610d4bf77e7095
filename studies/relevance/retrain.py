"""`make relevance-train`: train the network that judges relevance, and put it in its place."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace

import django

from apps.llm.reading.e5 import e5_file
from apps.llm.reading.installed import WEIGHTS as READER
from apps.llm.reading.weights import digest_of, save_weights
from apps.llm.relevance.installed import WEIGHTS
from studies.reading.trainings import WORK
from studies.relevance.banks import calibration_banks, training_banks
from studies.relevance.calibration import calibrate
from studies.relevance.training import Recipe, train


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="relevance-train")
    parser.add_argument("--epochs", type=int, default=Recipe.epochs, help="another number is tried in studies' work")
    options = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.mypy")
    django.setup()

    recipe = replace(Recipe(), epochs=options.epochs)
    WORK.mkdir(exist_ok=True)
    place = WEIGHTS if recipe == Recipe() else WORK / "relevance.npz"
    source = e5_file()
    network = train(source, recipe)
    calibrate(network, source)
    save_weights(place, network.tensors())
    banks = training_banks()
    made = {
        "weights": digest_of(place),
        "began_with": digest_of(READER),
        "recipe": asdict(recipe),
        "banks": len(banks),
        "messages": sum(len(bank.messages) for bank in banks),
        "calibrated_with": len(calibration_banks()),
    }
    place.with_suffix(".json").write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
