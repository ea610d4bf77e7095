"""The product's networks: trained on all writers, and put in their place with what they were made from."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict

from apps.llm.reading.installed import TRAINED
from apps.llm.reading.weights import digest_of
from studies.reading.digest import training_digest
from studies.reading.material import all_writers, training_rows, writers
from studies.reading.pairs import training_pairs
from studies.reading.train import Recipe
from studies.reading.trainings import WORK, is_committed, trained_without


def network_train(recipe: Recipe) -> None:
    """Train a network on all writers, unless that was done, and copy its weights to the product.

    Those of another recipe than the committed one go to the folder of trials.
    """
    place = (TRAINED if is_committed(recipe) else WORK) / f"{recipe.seed}.npz"
    shutil.copyfile(trained_without((), recipe, "all"), place)
    made = {
        "weights": digest_of(place),
        "made_from": training_digest(asdict(recipe)),
        "recipe": asdict(recipe),
        "writers": len(set(all_writers() if recipe.extended else writers()) - set(recipe.without)),
        "messages": len(training_rows(recipe.without, extended=recipe.extended)),
        "pairs": len(training_pairs(recipe.without)) if recipe.extended else 0,
    }
    place.with_suffix(".json").write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
