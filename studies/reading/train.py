"""Training: the rows of some writers, in epochs, with a checkpoint after each so that an interrupted one goes on.

AdamW with a linear decay; the heads learn faster than the encoder. Embeddings and the lowest layers stay as they are,
so their output is computed once. Rows of similar length share a batch.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel

from apps.llm.reading.tokenizer import ReaderTokenizer
from studies.reading.distillation import SoftTargets, distillation_losses, unlabeled_examples
from studies.reading.examples import Example, example_of, pair_example
from studies.reading.losses import label_losses, weighted_sum
from studies.reading.material import training_rows
from studies.reading.network import DEVICE, HALF, Network, padding_of
from studies.reading.pairs import training_pairs
from studies.reading.recipe import Recipe

WARM_UP = 0.1
OTHER_SPANS = 4
"""The most spans of a row that are not kept, in one epoch."""


def examples_of(recipe: Recipe, tokenizer: ReaderTokenizer) -> list[Example]:
    """What a recipe trains on: the messages, and the pairs of statements, of all writers but some."""
    examples = [example_of(row, tokenizer) for row in training_rows(recipe.without)[:: recipe.every]]
    if recipe.compares:
        pairs = training_pairs(recipe.without)[:: recipe.every_pair]
        examples += [pair_example(pair, tokenizer) for pair in pairs]
    if recipe.teachers:
        examples += unlabeled_examples(recipe.without, tokenizer)[:: recipe.every]
    return examples


def train(
    network: Network,
    examples: Sequence[Example],
    targets: Sequence[SoftTargets | None],
    recipe: Recipe,
    checkpoint: Path,
) -> None:
    """Train, or go on from the checkpoint of an interrupted training."""
    torch.manual_seed(recipe.seed)
    network.to(DEVICE)
    items = list(zip(examples, targets, lower_outputs(network, examples), strict=True))
    network.train()
    steps = recipe.epochs * -(-len(examples) // recipe.batch)
    optimizer = optimizer_of(network, recipe)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / (WARM_UP * steps)) * max(0.0, 1 - step / steps)
    )
    parts = {"network": network, "optimizer": optimizer, "schedule": schedule}
    for epoch in range(resumed(parts, checkpoint), recipe.epochs):
        began, total = time.monotonic(), 0.0
        chance = drawing(recipe, epoch)
        for batch in batches(examples, recipe, epoch):
            # Its attention in one piece takes many times as long for short texts.
            with sdpa_kernel(SDPBackend.MATH):
                total += step_of(network, optimizer, loss_of(network, [items[number] for number in batch], chance))
            schedule.step()
        save_checkpoint(parts, epoch + 1, checkpoint)
        print(
            f"epoch {epoch + 1} of {recipe.epochs}: loss {total:.1f}, {time.monotonic() - began:.0f} s", file=sys.stderr
        )
    network.eval()


def lower_outputs(network: Network, examples: Sequence[Example]) -> list[Tensor]:
    """What the part that stays as it is makes of each example: its tokens' vectors."""
    network.eval()
    with torch.no_grad(), torch.autocast(DEVICE, torch.bfloat16, enabled=HALF):
        ids = [torch.tensor([one.tokens.ids], device=DEVICE) for one in examples]
        return [network.lower(one)[0].bfloat16() for one in ids]


def padded_values(rows: Sequence[Tensor]) -> Tensor:
    return nn.utils.rnn.pad_sequence(list(rows), batch_first=True).float()


def optimizer_of(network: Network, recipe: Recipe) -> torch.optim.Optimizer:
    named = [(name, one) for name, one in network.named_parameters() if one.requires_grad]
    of_encoder = [one for name, one in named if name.startswith("layers.")]
    of_heads = [one for name, one in named if not name.startswith("layers.")]
    groups = [{"params": of_encoder, "lr": recipe.rate}, {"params": of_heads, "lr": recipe.heads_rate}]
    return torch.optim.AdamW(groups, weight_decay=0.01, fused=True)


def resumed(parts: dict[str, Any], checkpoint: Path) -> int:
    """Take over what a checkpoint has; return the number of its epochs."""
    if not checkpoint.exists():
        return 0
    kept = torch.load(checkpoint, map_location=DEVICE)
    for name, part in parts.items():
        part.load_state_dict(kept[name])
    return int(kept["epochs"])


def save_checkpoint(parts: dict[str, Any], epochs: int, checkpoint: Path) -> None:
    partial = checkpoint.with_suffix(".partial")
    torch.save({name: part.state_dict() for name, part in parts.items()} | {"epochs": epochs}, partial)
    os.replace(partial, checkpoint)


def batches(examples: Sequence[Example], recipe: Recipe, epoch: int) -> list[list[int]]:
    """The numbers of the examples of an epoch: in another order each time, neighbors alike in length."""
    order = drawing(recipe, epoch)
    shuffled = sorted(range(len(examples)), key=lambda one: len(examples[one].tokens.ids) + order.uniform(-4, 4))
    made = [shuffled[start : start + recipe.batch] for start in range(0, len(shuffled), recipe.batch)]
    order.shuffle(made)
    return made


def drawing(recipe: Recipe, epoch: int) -> random.Random:
    """What is drawn in an epoch, the same in every training with this recipe."""
    return random.Random(f"{recipe.seed} {epoch}")  # noqa: S311  # nothing secret is drawn


def step_of(network: Network, optimizer: torch.optim.Optimizer, loss: Tensor) -> float:
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return float(loss.detach())


Item = tuple[Example, SoftTargets | None, Tensor]
"""An example, what teachers say of it, and its tokens' vectors below the layers that are trained."""


def loss_of(network: Network, items: Sequence[Item], chance: random.Random) -> Tensor:
    """What the network lacks of the labels and of the soft targets, with the same weights."""
    batch, targets, lower = zip(*items, strict=True)
    drawn = [drawn_spans(one, chance) for one in batch]
    spans = [one.spans[place] for one, places in zip(batch, drawn, strict=True) for place in places]
    owners = [number for number, places in enumerate(drawn) for _ in places]
    places = [(number, span.first, span.past) for number, span in zip(owners, spans, strict=True)]
    padding = padding_of([len(one.tokens.ids) for one in batch], lower[0].device)
    with torch.autocast(DEVICE, torch.bfloat16, enabled=HALF):
        outputs = network.outputs(padded_values(lower), padding, places)
    labels = weighted_sum(label_losses(outputs, batch, spans))
    soft = distillation_losses(outputs, batch, targets, drawn)
    return labels + weighted_sum(soft) if soft else labels


def drawn_spans(example: Example, chance: random.Random) -> list[int]:
    """The numbers of all spans that are kept, and of some others."""
    kept = [place for place, span in enumerate(example.spans) if span.memorable == 1]
    others = [place for place, span in enumerate(example.spans) if span.memorable != 1]
    return kept + chance.sample(others, min(OTHER_SPANS, len(others)))
