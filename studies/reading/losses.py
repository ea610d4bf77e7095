"""Losses: of a network's outputs by the labels of its examples, and by the chances that others give them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor
from torch.nn import functional

from apps.llm.reading import heads
from studies.reading.examples import NONE, USER, Example, SpanTarget
from studies.reading.network import Outputs

WEIGHTS = {
    "trap": 0.5,
    "secret": 0.3,
    "commanded": 0.3,
    "ended": 0.2,
    "has_fact": 0.3,
    "command": 0.6,
    "memorable": 0.5,
    "until": 0.3,
    "category": 0.5,
    "change": 0.5,
    "attribute": 0.7,
    "about": 1.0,
}
"""Of the losses, beside that of the tags of tokens, which counts 1."""
YES_OR_NO = {
    "token": {"trap": heads.TRAP, "secret": heads.SECRET, "commanded": heads.COMMANDED, "ended": heads.ENDED},
    "message": {"has_fact": heads.HAS_FACT},
    "label": {"memorable": heads.MEMORABLE, "until": heads.UNTIL},
}
"""The place of each output that says yes or no."""
ONE_OF = {
    "token": {"tag": slice(0, heads.INSIDE + 1)},
    "message": {"command": heads.COMMAND},
    "label": {"category": heads.CATEGORY, "change": heads.CHANGE, "attribute": heads.ATTRIBUTE},
}
"""The places of the outputs that say which one of several labels."""
OF_LABELS = {"tag": (1.0, 1.5, 1.0), "command": (1.0, 1.5, 1.5, 1.5), "change": (1.0, 2.0, 2.0, 2.0)}
"""How much each label counts."""


def weighted_sum(losses: Mapping[str, Tensor]) -> Tensor:
    return torch.stack([WEIGHTS.get(name, 1.0) * loss for name, loss in losses.items()]).sum()


def label_losses(outputs: Outputs, batch: Sequence[Example], spans: Sequence[SpanTarget]) -> dict[str, Tensor]:
    """The losses by the labels of some examples, and of those of their spans that were drawn."""
    device, longest = outputs.token.device, outputs.token.shape[1]
    losses = hard_losses("token", outputs.token, lambda name: padded_targets(batch, name, longest, device))
    losses |= hard_losses("message", outputs.message, lambda name: targets_of(batch, name, device))
    losses["relation"] = one_of(outputs.relation, targets_of(batch, "relation", device))
    if spans:
        losses |= hard_losses("label", outputs.label, lambda name: targets_of(spans, name, device))
        losses["about"] = about_loss(outputs.named, spans)
    return losses


def hard_losses(part: str, output: Tensor, targets: Callable[[str], Tensor]) -> dict[str, Tensor]:
    """The losses of a part of the outputs by its labels."""
    losses = {name: yes_or_no(output[..., place], targets(name)) for name, place in YES_OR_NO[part].items()}
    for name, places in ONE_OF[part].items():
        losses[name] = one_of(output[..., places], targets(name), OF_LABELS.get(name, ()))
    return losses


def soft_losses(part: str, output: Tensor, chances: Tensor) -> dict[str, Tensor]:
    """The losses of a part of the outputs by the chances that others give."""
    losses = {
        name: functional.binary_cross_entropy_with_logits(output[..., place], chances[..., place])
        for name, place in YES_OR_NO[part].items()
    }
    for name, places in ONE_OF[part].items():
        losses[name] = functional.cross_entropy(output[..., places], chances[..., places])
    return losses


def padded_targets(batch: Sequence[Example], name: str, longest: int, device: torch.device) -> Tensor:
    """The targets of tokens, none behind an example's end."""
    rows = [getattr(one, name) for one in batch]
    return torch.tensor([[*row, *[NONE] * (longest - len(row))] for row in rows], device=device)


def targets_of(targets: Sequence[Example | SpanTarget], name: str, device: torch.device) -> Tensor:
    return torch.tensor([int(getattr(one, name)) for one in targets], device=device)


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
    weight = torch.tensor(weights, device=output.device) if weights else None
    return functional.cross_entropy(
        output.reshape(-1, output.shape[-1]), targets.flatten(), weight=weight, ignore_index=NONE
    )
