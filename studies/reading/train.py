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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from apps.llm.reading import heads
from studies.reading.examples import NONE, USER, Example, SpanTarget
from studies.reading.network import Network

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
WARM_UP = 0.1
OTHER_SPANS = 4
"""The most spans of a row that are not kept, in one epoch."""
WEIGHTS = {
    "trap": 0.5,
    "secret": 0.3,
    "commanded": 0.3,
    "ended": 0.2,
    "has_fact": 0.3,
    "command": 0.4,
    "memorable": 0.5,
    "until": 0.3,
    "category": 0.5,
    "change": 0.5,
    "attribute": 0.7,
    "about": 0.7,
}
"""Beside the tags of tokens, which counts 1."""
PLACES = {"trap": heads.TRAP, "secret": heads.SECRET, "commanded": heads.COMMANDED, "ended": heads.ENDED}
"""The outputs for a token that say yes or no."""
TAG_WEIGHTS = (1.0, 1.5, 1.0)
COMMAND_WEIGHTS = (1.0, 1.5, 1.5, 1.5)
CHANGE_WEIGHTS = (1.0, 2.0, 2.0, 2.0)


@dataclass(frozen=True)
class Recipe:
    """How a network is trained.

    `frozen` of its lowest layers are not changed. If it is `extended`, it reads the messages of conversations and pairs
    of statements too. It reads nothing by the writers that it is `without`.
    """

    epochs: int = 8
    batch: int = 32
    rate: float = 1.5e-4
    heads_rate: float = 1e-3
    frozen: int = 0
    extended: bool = False
    seed: int = 0
    without: tuple[str, ...] = ()


def train(network: Network, examples: Sequence[Example], recipe: Recipe, checkpoint: Path) -> None:
    """Train, or go on from the checkpoint of an interrupted training."""
    torch.manual_seed(recipe.seed)
    network.to(DEVICE)
    lower = lower_outputs(network, examples)
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
            values = padded_values([lower[number] for number in batch])
            total += step_of(network, optimizer, [examples[number] for number in batch], values, chance)
            schedule.step()
        save_checkpoint(parts, epoch + 1, checkpoint)
        print(
            f"epoch {epoch + 1} of {recipe.epochs}: loss {total:.1f}, {time.monotonic() - began:.0f} s", file=sys.stderr
        )
    network.eval()


def lower_outputs(network: Network, examples: Sequence[Example]) -> list[Tensor]:
    """What the part that stays as it is makes of each example: its tokens' vectors."""
    network.eval()
    with torch.no_grad(), torch.autocast(DEVICE, torch.bfloat16):
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


def step_of(
    network: Network,
    optimizer: torch.optim.Optimizer,
    batch: Sequence[Example],
    lower: Tensor,
    chance: random.Random,
) -> float:
    with torch.autocast(DEVICE, torch.bfloat16):
        loss = loss_of(network, batch, lower, chance)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return float(loss.detach())


def loss_of(network: Network, batch: Sequence[Example], lower: Tensor, chance: random.Random) -> Tensor:
    longest = lower.shape[1]
    padding = padded([[0] * len(one.tokens.ids) for one in batch], longest, 1).bool()
    hidden = network.upper(lower, padding)
    real = (~padding)[:, :, None].to(hidden.dtype)
    mean = (hidden * real).sum(1) / real.sum(1)
    losses = token_losses(network.token(hidden).float(), batch, longest)
    losses |= message_losses(network.message(mean).float(), batch)
    losses["relation"] = one_of(network.relation(hidden[:, 0]).float(), targets_of(batch, "relation"))
    chosen = [(number, span) for number, one in enumerate(batch) for span in spans_of(one, chance)]
    if chosen:
        places = torch.tensor([(number, span.first, span.past) for number, span in chosen], device=DEVICE)
        said, named = network.of_spans(hidden, mean, places)
        named = named.float().masked_fill(padding[places[:, 0]], -1e4)
        losses |= span_losses(said.float(), named, [span for _, span in chosen])
    return sum((WEIGHTS.get(name, 1.0) * loss for name, loss in losses.items()), torch.zeros((), device=DEVICE))


def padded(rows: Sequence[Sequence[int]], length: int, value: int) -> Tensor:
    return torch.tensor([[*row, *[value] * (length - len(row))] for row in rows], device=DEVICE)


def token_losses(output: Tensor, batch: Sequence[Example], longest: int) -> dict[str, Tensor]:
    tags = padded([one.tags for one in batch], longest, NONE)
    found = {"tag": one_of(output[..., : heads.INSIDE + 1].flatten(0, 1), tags.flatten(), TAG_WEIGHTS)}
    for name, place in PLACES.items():
        found[name] = yes_or_no(output[..., place], padded([getattr(one, name) for one in batch], longest, NONE))
    return found


def message_losses(output: Tensor, batch: Sequence[Example]) -> dict[str, Tensor]:
    return {
        "has_fact": yes_or_no(output[:, heads.HAS_FACT], targets_of(batch, "has_fact")),
        "command": one_of(output[:, heads.COMMAND], targets_of(batch, "command"), COMMAND_WEIGHTS),
    }


def targets_of(targets: Sequence[Example | SpanTarget], name: str) -> Tensor:
    return torch.tensor([int(getattr(one, name)) for one in targets], device=DEVICE)


def spans_of(example: Example, chance: random.Random) -> list[SpanTarget]:
    """All that are kept, and some others."""
    others = [span for span in example.spans if not span.memorable]
    return [span for span in example.spans if span.memorable] + chance.sample(others, min(OTHER_SPANS, len(others)))


def span_losses(said: Tensor, named: Tensor, spans: Sequence[SpanTarget]) -> dict[str, Tensor]:
    found = {
        "memorable": yes_or_no(said[:, heads.MEMORABLE], targets_of(spans, "memorable")),
        "until": yes_or_no(said[:, heads.UNTIL], targets_of(spans, "until")),
        "category": one_of(said[:, heads.CATEGORY], targets_of(spans, "category")),
        "change": one_of(said[:, heads.CHANGE], targets_of(spans, "change"), CHANGE_WEIGHTS),
        "attribute": one_of(said[:, heads.ATTRIBUTE], targets_of(spans, "attribute")),
    }
    return found | {"about": about_loss(named, spans)}


def about_loss(named: Tensor, spans: Sequence[SpanTarget]) -> Tensor:
    """The names' tokens together should have all of the chance; the user none of it, if it is about another unnamed."""
    losses = [-named.new_zeros(())]
    chances = functional.log_softmax(named, 1)
    for place, span in enumerate(spans):
        if span.about:
            losses.append(-chances[place, list(span.about)].logsumexp(0))
        elif span.is_other:
            losses.append(-chances[place, USER + 1 :].logsumexp(0))
    return torch.stack(losses).sum() / max(1, len(losses) - 1)


def yes_or_no(output: Tensor, targets: Tensor) -> Tensor:
    taught = (targets != NONE).float()
    losses = functional.binary_cross_entropy_with_logits(output, targets.clamp(min=0).float(), reduction="none")
    return (losses * taught).sum() / taught.sum().clamp(min=1)


def one_of(output: Tensor, targets: Tensor, weights: Sequence[float] = ()) -> Tensor:
    """Cross-entropy over those with a target; 0 if there is none."""
    if not bool((targets != NONE).any()):
        return output.sum() * 0
    weight = torch.tensor(weights, device=DEVICE) if weights else None
    return functional.cross_entropy(output, targets, weight=weight, ignore_index=NONE)
