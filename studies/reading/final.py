"""The product's network: trained, and put in its place with what it was made from."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict

from apps.llm.reading.installed import WEIGHTS
from apps.llm.reading.weights import digest_of
from studies.reading.digest import training_digest
from studies.reading.material import all_writers, training_rows
from studies.reading.pairs import training_pairs, written_pairs
from studies.reading.recipe import Recipe
from studies.reading.trainings import READER, WORK, trained


def network_train(recipe: Recipe) -> None:
    """Train a network on all that its recipe reads, unless that was done, and copy its weights to the product.

    Those of another recipe than the committed one go to the folder of trials.
    """
    place = WEIGHTS if recipe == READER else WORK / WEIGHTS.name
    shutil.copyfile(trained(recipe), place)
    rows = training_rows(recipe.without)
    compared = set(all_writers()) - set(recipe.without)
    made = {
        "weights": digest_of(place),
        "made_from": training_digest(asdict(recipe)),
        "recipe": asdict(recipe),
        "teachers": [digest_of(trained(one)) for one in recipe.teachers],
        "writers": len({row.writer for row in rows} | {writer for writer in compared if written_pairs(writer)}),
        "messages": len(rows),
        "pairs": len(training_pairs(recipe.without)[:: recipe.every_pair]),
    }
    place.with_suffix(".json").write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
