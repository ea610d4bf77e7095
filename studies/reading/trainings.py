"""A training from its recipe to the file of its weights."""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from apps.llm.reading.e5 import e5_file
from apps.llm.reading.tokenizer import ReaderTokenizer, sentencepiece_model
from apps.llm.reading.weights import save_weights
from studies.reading.digest import training_digest
from studies.reading.examples import example_of, pair_example
from studies.reading.folds import FOLDS
from studies.reading.material import training_rows
from studies.reading.network import Network
from studies.reading.pairs import training_pairs
from studies.reading.train import Recipe, train

WORK = Path(__file__).with_name("work")
"""Checkpoints of trainings and the weights of folds, which are not committed."""


_OLDER = 50
NEWER_WRITERS = tuple(sorted(writer for fold in FOLDS for writer in fold if int(writer.removeprefix("w")) > _OLDER))
"""Those who wrote after the first of the product's networks was trained."""

NETWORKS = (
    Recipe(without=NEWER_WRITERS),
    Recipe(seed=1, frozen=3, extended=True, without=FOLDS[0]),
)
"""The recipes of the product's networks, whose chances are averaged.

The first has not read the newer writers. The second has read conversations and pairs of statements too; it is the
very network that reads the first fold's writers for the report, and has not been trained on them yet.
"""


def recipes(epochs: int | None) -> list[Recipe]:
    """Those of the product's networks, with another number of epochs to try them."""
    return [replace(one, epochs=epochs or one.epochs) for one in NETWORKS]


def is_committed(recipe: Recipe) -> bool:
    """Whether it is the recipe of what is committed; another one is tried in `WORK`."""
    return recipe in NETWORKS


def trained_tensors(network: Network, recipe: Recipe) -> dict[str, Any]:
    """The weights, without the head that compares statements if there were none to learn from."""
    tensors = network.tensors()
    return {name: values for name, values in tensors.items() if recipe.extended or not name.startswith("relation.")}


def trained_without(left_out: Collection[str], recipe: Recipe, name: str) -> Path:
    """Train on all but the rows of some writers, unless that was done; return the file of the weights.

    An interrupted training goes on from its last epoch.
    """
    name = f"{name}-{training_digest(asdict(recipe))}"
    unread = {*left_out, *recipe.without}
    WORK.mkdir(exist_ok=True)
    file, checkpoint = WORK / f"{name}.npz", WORK / f"{name}.checkpoint"
    if not file.exists():
        source = e5_file()
        tokenizer = ReaderTokenizer(sentencepiece_model(source.vocabulary))
        examples = [example_of(row, tokenizer) for row in training_rows(unread, extended=recipe.extended)]
        if recipe.extended:
            examples += [pair_example(pair, tokenizer) for pair in training_pairs(unread)]
        print(f"{name}: {len(examples)} examples", file=sys.stderr)
        network = Network(source, recipe.frozen)
        train(network, examples, recipe, checkpoint)
        save_weights(file, trained_tensors(network, recipe))
        checkpoint.unlink()
    return file
