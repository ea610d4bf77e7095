"""Distillation: a network learns the chances that its teachers give on average, its soft targets.

Of a text that they have learned by heart they say little more than its labels. So statements that were only read
beside others are examples too, without labels.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import astuple, dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from apps.llm.reading import heads
from apps.llm.reading.tokenizer import ReaderTokenizer
from studies.reading.examples import NONE, Example, unlabeled_example
from studies.reading.losses import ONE_OF, soft_losses
from studies.reading.material import training_rows
from studies.reading.network import DEVICE, HALF, Network, Outputs, padding_of
from studies.reading.pairs import training_pairs

BATCH = 32


@dataclass(frozen=True)
class SoftTargets:
    """The chances of an example's tokens, of its message, and of its spans in their order.

    `named` has a chance for each token that it names whom a span is about.
    """

    token: Tensor
    message: Tensor
    label: Tensor
    named: Tensor


def unlabeled_examples(unread: Collection[str], tokenizer: ReaderTokenizer) -> list[Example]:
    """Statements of pairs that are no message, each once."""
    told = {row.text for row in training_rows(unread)}
    texts = dict.fromkeys(text for pair in training_pairs(unread) for text in (pair.old, pair.new) if text not in told)
    return [unlabeled_example(text, tokenizer) for text in texts]


def soft_targets(teachers: Sequence[Network], examples: Sequence[Example]) -> list[SoftTargets | None]:
    """What the teachers say of each example; nothing of a pair, which is no message, and without teachers."""
    found: list[SoftTargets | None] = [None] * len(examples)
    messages = [place for place, one in enumerate(examples) if one.relation == NONE and teachers]
    ordered = sorted(messages, key=lambda place: len(examples[place].tokens.ids))
    for start in range(0, len(ordered), BATCH):
        batch = ordered[start : start + BATCH]
        for place, targets in zip(batch, batch_targets(teachers, [examples[one] for one in batch]), strict=True):
            found[place] = targets
    return found


def batch_targets(teachers: Sequence[Network], batch: Sequence[Example]) -> Iterator[SoftTargets]:
    """What the teachers say on average of each example of a batch."""
    places = [(number, span.first, span.past) for number, one in enumerate(batch) for span in one.spans]
    said = [astuple(chances_of(read(one, batch, places))) for one in teachers]
    mean = SoftTargets(*(torch.stack(part).mean(0) for part in zip(*said, strict=True)))
    owners = torch.tensor([number for number, *_ in places], device=DEVICE)
    for number, one in enumerate(batch):
        length, own = len(one.tokens.ids), owners == number
        yield SoftTargets(mean.token[number, :length], mean.message[number], mean.label[own], mean.named[own, :length])


def read(teacher: Network, batch: Sequence[Example], places: Sequence[tuple[int, int, int]]) -> Outputs:
    """What a network without frozen layers, whose inputs may be padded, says of a batch."""
    ids = nn.utils.rnn.pad_sequence([torch.tensor(one.tokens.ids, device=DEVICE) for one in batch], batch_first=True)
    padding = padding_of([len(one.tokens.ids) for one in batch], DEVICE)
    teacher.eval()
    with torch.no_grad(), torch.autocast(DEVICE, torch.bfloat16, enabled=HALF):
        return teacher.outputs(teacher.lower(ids), padding, places)


def chances_of(outputs: Outputs) -> SoftTargets:
    of_label = [outputs.label[:, part].softmax(-1) for part in ONE_OF["label"].values()]
    return SoftTargets(
        torch.cat([outputs.token[..., : heads.TRAP].softmax(-1), outputs.token[..., heads.TRAP :].sigmoid()], -1),
        torch.cat([outputs.message[:, :1].sigmoid(), outputs.message[:, heads.COMMAND].softmax(-1)], -1),
        torch.cat([outputs.label[:, : heads.UNTIL + 1].sigmoid(), *of_label], -1),
        outputs.named.softmax(-1),
    )


def distillation_losses(
    outputs: Outputs, batch: Sequence[Example], targets: Sequence[SoftTargets | None], drawn: Sequence[Sequence[int]]
) -> dict[str, Tensor]:
    """What the outputs lack of the soft targets; none if no example has any.

    `drawn` are the numbers of each example's spans in the outputs.
    """
    taught = [(number, one) for number, one in enumerate(targets) if one]
    if not taught:
        return {}
    longest, numbers = outputs.token.shape[1], [number for number, _ in taught]
    own = torch.stack([own_tokens(batch[number], longest) for number in numbers])
    token = torch.stack([functional.pad(one.token, (0, 0, 0, longest - len(one.token))) for _, one in taught])
    losses = soft_losses("token", outputs.token[numbers][own], token[own])
    losses |= soft_losses("message", outputs.message[numbers], torch.stack([one.message for _, one in taught]))
    return losses | span_losses(outputs, targets, drawn)


def span_losses(
    outputs: Outputs, targets: Sequence[SoftTargets | None], drawn: Sequence[Sequence[int]]
) -> dict[str, Tensor]:
    """Those of the spans that were drawn, if there are any."""
    spans = [(one, place) for one, places in zip(targets, drawn, strict=True) for place in places]
    taught = [(number, one, place) for number, (one, place) in enumerate(spans) if one]
    if not taught:
        return {}
    numbers, longest = [number for number, *_ in taught], outputs.named.shape[1]
    named = [functional.pad(one.named[place], (0, longest - one.named.shape[1])) for _, one, place in taught]
    losses = soft_losses("label", outputs.label[numbers], torch.stack([one.label[place] for _, one, place in taught]))
    return losses | {"about": functional.cross_entropy(outputs.named[numbers], torch.stack(named))}


def own_tokens(example: Example, longest: int) -> Tensor:
    """Which of the tokens are the message's own."""
    places = torch.arange(longest, device=DEVICE)
    return (places >= example.tokens.text_first) & (places < example.tokens.text_past)
