"""Training of the network that compares memories with messages: what is relevant, and what no longer holds.

It begins with the encoder of the product's reader, which knows what memories speak of.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel

from apps.engine.reading.labels import RELATIONS
from apps.llm.embedding.model_ids import MINILM
from apps.llm.embedding.sentence_embedders import MINILM_SOURCE, SentenceEmbedder
from apps.llm.reading.e5 import E5File
from apps.llm.reading.installed import WEIGHTS as READER
from apps.llm.reading.tokenizer import ReaderTokenizer, sentencepiece_model
from apps.llm.reading.tokens import Tokens, memory_tokens, pair_tokens
from apps.llm.reading.weights import load_weights
from studies.reading.material import Pair
from studies.reading.network import DEVICE, padding_of
from studies.reading.train import WARM_UP, padded_values
from studies.relevance.banks import Bank, Judged, pair_groups, training_banks
from studies.relevance.ends import relation_groups
from studies.relevance.network import RelevanceNetwork

RELATION = ("relation.weight", "relation.bias")
"""The head of the reader that compares statements, which it begins with."""
TYPES = "embeddings.token_type_embeddings.weight"
RELEVANT_WEIGHT = 2.0
"""The weight of what is relevant, of which there is less."""
NONE = -1
"""The target that an example does not have."""


@dataclass(frozen=True)
class Recipe:
    """How the network is trained. Each message is compared with `nearest` memories that are not relevant."""

    epochs: int = 3
    batch: int = 8
    rate: float = 8e-5
    frozen: int = 4
    nearest: int = 4
    seed: int = 0


@dataclass(frozen=True)
class Example:
    """What the layers that stay as they are make of a message with a memory.

    `relevant` is 1 for a relevant memory and 0 for another, `relation` an index of `labels.RELATIONS`.
    """

    values: Tensor
    relevant: float = NONE
    relation: int = NONE


Group = list[Example]
"""Examples that are read together."""


def train(source: E5File, recipe: Recipe) -> RelevanceNetwork:
    torch.manual_seed(recipe.seed)
    judged = training_groups(recipe)
    # The embedder, which has found what is near, has set the number of threads to one.
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    network = started(source, recipe)
    network.to(DEVICE)
    groups = read_groups([*judged, *relation_groups(recipe.seed)], network, source)
    network.train()
    steps = recipe.epochs * -(-len(groups) // recipe.batch)
    parts = [{"params": weights, "lr": share * recipe.rate} for share, weights in network.trained()]
    optimizer = torch.optim.AdamW(parts, weight_decay=0.01, fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / (WARM_UP * steps)) * max(0.0, 1 - step / steps)
    )
    for epoch in range(recipe.epochs):
        began, total = time.monotonic(), 0.0
        for batch in batches(groups, recipe, epoch):
            # Its attention in one piece takes many times as long for short texts.
            with sdpa_kernel(SDPBackend.MATH):
                total += step_of(network, optimizer, batch)
            schedule.step()
        print(f"epoch {epoch + 1}: loss {total:.1f}, {time.monotonic() - began:.0f} s", file=sys.stderr)
    network.eval()
    return network


def started(source: E5File, recipe: Recipe) -> RelevanceNetwork:
    """A network that has not learned to judge yet."""
    network = RelevanceNetwork(source, recipe.frozen)
    tensors = {**source.tensors, **load_weights(READER)}
    # What kind of token one is was added to the positions when they were stored.
    tensors[TYPES] = np.zeros((1, source.sizes.hidden), dtype=np.float32)
    network.encoder.load(tensors)
    network.load_state_dict({name: torch.tensor(tensors[name]) for name in RELATION}, strict=False)
    return network


def training_groups(recipe: Recipe) -> list[list[Judged]]:
    chance = random.Random(recipe.seed)  # noqa: S311  # nothing secret is drawn
    groups = [group for bank in training_banks() for group in bank_groups(bank, recipe.nearest, chance)]
    return groups + list(pair_groups(chance))


def bank_groups(bank: Bank, nearest: int, chance: random.Random) -> Iterator[list[Judged]]:
    """Each message with what is relevant, with the nearest of what is not, and with another."""
    for message, order in zip(bank.messages, by_likeness(bank), strict=True):
        others = [place for place in order if place not in message.relevant]
        drawn = [*others[:nearest], *chance.sample(others[nearest:], min(1, len(others[nearest:])))]
        yield [Judged(message.text, bank.memories[place], True) for place in message.relevant] + [
            Judged(message.text, bank.memories[place], False) for place in drawn
        ]


def by_likeness(bank: Bank) -> list[list[int]]:
    """The places of the memories for each message, nearest first, by the product's embedder."""
    embedder = SentenceEmbedder(MINILM, MINILM_SOURCE)
    memories, messages = embedder.embed(bank.memories), embedder.embed([one.text for one in bank.messages])
    likeness = np.array(messages) @ np.array(memories).T
    return [[int(place) for place in np.argsort(-row)] for row in likeness]


def read_groups(groups: Sequence[Sequence[Judged | Pair]], network: RelevanceNetwork, source: E5File) -> list[Group]:
    tokenizer = ReaderTokenizer(sentencepiece_model(source.vocabulary))
    network.eval()
    with torch.no_grad(), torch.autocast(DEVICE, torch.bfloat16):
        return [[example_of(network, tokenizer, one) for one in group] for group in groups]


def example_of(network: RelevanceNetwork, tokenizer: ReaderTokenizer, one: Judged | Pair) -> Example:
    if isinstance(one, Judged):
        return Example(lower_output(network, tokenizer, one), relevant=float(one.is_relevant))
    tokens = pair_tokens(tokenizer, one.old, one.new)
    return Example(lower_vectors(network, tokens), relation=RELATIONS.index(one.relation))


def lower_output(network: RelevanceNetwork, tokenizer: ReaderTokenizer, judged: Judged) -> Tensor:
    return lower_vectors(network, memory_tokens(tokenizer, judged.memory, judged.message))


def lower_vectors(network: RelevanceNetwork, tokens: Tokens) -> Tensor:
    return network.encoder.lower(torch.tensor([tokens.ids], device=DEVICE))[0].bfloat16()


def batches(groups: Sequence[Group], recipe: Recipe, epoch: int) -> Iterator[Group]:
    """Whole groups of similar length, in another order in each epoch."""
    chance = random.Random(f"{recipe.seed} {epoch}")  # noqa: S311  # nothing secret is drawn
    ordered = sorted(groups, key=lambda group: len(group[0].values) + chance.uniform(-12, 12))
    starts = list(range(0, len(ordered), recipe.batch))
    chance.shuffle(starts)
    for start in starts:
        yield [one for group in ordered[start : start + recipe.batch] for one in group]


def step_of(network: RelevanceNetwork, optimizer: torch.optim.Optimizer, batch: Group) -> float:
    values = padded_values([one.values for one in batch])
    padding = padding_of([len(one.values) for one in batch], DEVICE)
    with torch.autocast(DEVICE, torch.bfloat16):
        relevance, relations = network(values, padding)
    loss = relevance_loss(relevance, [one.relevant for one in batch])
    loss = loss + relation_loss(relations, [one.relation for one in batch])
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return float(loss.detach())


def relevance_loss(scores: Tensor, targets: Sequence[float]) -> Tensor:
    weight: Any = torch.tensor(RELEVANT_WEIGHT, device=DEVICE)
    given = torch.tensor(targets, dtype=torch.float32, device=DEVICE)
    known = given != NONE
    losses = nn.functional.binary_cross_entropy_with_logits(
        scores[known], given[known], pos_weight=weight, reduction="sum"
    )
    return losses / len(targets)


def relation_loss(scores: Tensor, targets: Sequence[int]) -> Tensor:
    given = torch.tensor(targets, device=DEVICE)
    return nn.functional.cross_entropy(scores, given, ignore_index=NONE, reduction="sum") / len(targets)
