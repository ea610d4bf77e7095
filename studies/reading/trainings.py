"""A training from its recipe to the file of its weights."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import torch

from apps.llm.reading.e5 import E5File, e5_file
from apps.llm.reading.tokenizer import ReaderTokenizer, sentencepiece_model
from apps.llm.reading.weights import load_weights, save_weights
from studies.reading.digest import training_digest
from studies.reading.distillation import SoftTargets, soft_targets
from studies.reading.examples import Example
from studies.reading.folds import FOLDS
from studies.reading.material import all_writers
from studies.reading.network import DEVICE, Network
from studies.reading.recipe import Recipe
from studies.reading.train import examples_of, train

WORK = Path(__file__).with_name("work")
"""Checkpoints of trainings and the weights of folds, which are not committed."""


def reader_recipe(left_out: Sequence[str]) -> Recipe:
    """The recipe of a reader that knows nothing of some writers: it is distilled from two networks.

    The first one reads messages alone, by the writers of the first material: what later ones wrote makes a network find
    more in their kind of messages, and in conversations more that is not worth keeping. The second one compares, too.
    At last the reader reads all pairs again, of which it has lost some. The plain banks of the last writers are not
    read yet: with them it ends fewer everyday statements wrongly, and fewer that are ended in other words.
    """
    unread = tuple(sorted({*left_out, *_newer_than(106)}))
    alone = Recipe(epochs=8, frozen=0, compares=False, without=tuple(sorted({*left_out, *_newer_than(50)})))
    messages = Recipe(seed=1, without=tuple(sorted({*left_out, *_newer_than(100)})))
    pairs = Recipe(epochs=2, rate=6e-5, heads_rate=4e-4, frozen=6, seed=1, without=unread, follows=messages, every=4)
    teachers = alone, pairs
    distilled = Recipe(
        2, rate=1e-4, heads_rate=4e-4, frozen=4, without=unread, follows=pairs, every_pair=6, teachers=teachers
    )
    return Recipe(
        2, rate=6e-5, heads_rate=4e-4, frozen=6, without=unread, follows=distilled, every=4, teachers=teachers
    )


def _newer_than(number: int) -> Iterator[str]:
    return (writer for writer in all_writers() if int(writer.strip("wabcd")) > number)


READER = reader_recipe(FOLDS[0])
"""The recipe of the product's network: the one that reads the first fold's writers for the report, and has not been
trained on them."""


def with_epochs(recipe: Recipe, epochs: int) -> Recipe:
    """A recipe with so many epochs, and so many of those that it builds on, to try it."""
    return replace(built_on(recipe, lambda one: with_epochs(one, epochs)), epochs=epochs)


def built_on(recipe: Recipe, change: Callable[[Recipe], Recipe]) -> Recipe:
    """A recipe with a change to those that it builds on."""
    follows = change(recipe.follows) if recipe.follows else None
    return replace(recipe, follows=follows, teachers=tuple(map(change, recipe.teachers)))


def trained(recipe: Recipe) -> Path:
    """Train by a recipe, unless that was done; return the file of the weights.

    An interrupted training goes on from its last epoch.
    """
    digest = training_digest(asdict(recipe))
    WORK.mkdir(exist_ok=True)
    file, checkpoint = WORK / f"{digest}.npz", WORK / f"{digest}.checkpoint"
    if not file.exists():
        torch.set_num_threads(len(os.sched_getaffinity(0)))
        network, examples, targets = prepared(recipe)
        print(f"{digest}: {len(examples)} examples", file=sys.stderr)
        train(network, examples, targets, recipe, checkpoint)
        save_weights(file, network.tensors())
        checkpoint.unlink()
    return file


def prepared(recipe: Recipe) -> tuple[Network, list[Example], list[SoftTargets | None]]:
    """A network before its training, the examples, and what teachers say of them."""
    source = e5_file()
    examples = examples_of(recipe, ReaderTokenizer(sentencepiece_model(source.vocabulary)))
    teachers = [started(source, one, replace(one, frozen=0)) for one in recipe.teachers]
    targets = soft_targets(teachers, examples)
    return started(source, recipe.follows, recipe), examples, targets


def started(source: E5File, weights: Recipe | None, recipe: Recipe) -> Network:
    """A network of a recipe, with the weights that another one gives, or else those of the encoder alone."""
    network = Network(source, recipe.frozen, compares=recipe.compares)
    if weights:
        network.load_trained(load_weights(trained(weights)))
    network.to(DEVICE)
    return network
