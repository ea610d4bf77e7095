"""A training from its recipe to the file of its weights."""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import asdict, replace
from pathlib import Path

from apps.llm.reading.e5 import e5_file
from apps.llm.reading.tokenizer import ReaderTokenizer, sentencepiece_model
from apps.llm.reading.weights import save_weights
from studies.reading.digest import training_digest
from studies.reading.examples import example_of, pair_example
from studies.reading.material import training_pairs, training_rows
from studies.reading.network import Network
from studies.reading.train import Recipe, train

WORK = Path(__file__).with_name("work")
"""Checkpoints of trainings and the weights of folds, which are not committed."""


def is_committed(recipe: Recipe) -> bool:
    """Whether it is the recipe of what is committed; another one is tried in `WORK`."""
    return replace(recipe, seed=0) == Recipe()


def trained_without(left_out: Collection[str], recipe: Recipe, name: str) -> Path:
    """Train on all but the rows of some writers, unless that was done; return the file of the weights.

    An interrupted training goes on from its last epoch.
    """
    name = f"{name}-{training_digest(*asdict(recipe).values())}"
    WORK.mkdir(exist_ok=True)
    file, checkpoint = WORK / f"{name}.npz", WORK / f"{name}.checkpoint"
    if not file.exists():
        source = e5_file()
        tokenizer = ReaderTokenizer(sentencepiece_model(source.vocabulary))
        examples = [example_of(row, tokenizer) for row in training_rows(left_out, extended=recipe.extended)]
        if recipe.extended:
            examples += [pair_example(pair, tokenizer) for pair in training_pairs(left_out)]
        print(f"{name}: {len(examples)} examples", file=sys.stderr)
        network = Network(source, recipe.frozen)
        train(network, examples, recipe, checkpoint)
        save_weights(file, network.tensors())
        checkpoint.unlink()
    return file
