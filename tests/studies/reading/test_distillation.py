"""A network learns from labels, and from the chances that its teachers give, where PyTorch is installed."""

from __future__ import annotations

import importlib
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from apps.llm.reading.e5 import E5File, e5_file
from apps.llm.reading.heads import Heads
from apps.llm.reading.tokenizer import ReaderTokenizer, sentencepiece_model
from studies.reading.examples import pair_example, unlabeled_example
from studies.reading.material import Pair

torch = pytest.importorskip("torch", reason="only who trains the reader has it")
distillation, losses, network, train = (
    importlib.import_module(f"studies.reading.{name}") for name in ("distillation", "losses", "network", "train")
)

TEXTS = ["I live in Porto, and my sister lives in Lisbon.", "Ok.", "The build was red. We use PostgreSQL 18."]


@pytest.fixture(scope="module")
def source() -> E5File:
    return e5_file()


@pytest.fixture(scope="module")
def tokenizer(source: E5File) -> ReaderTokenizer:
    return ReaderTokenizer(sentencepiece_model(source.vocabulary))


def network_of(source: E5File, seed: int) -> Any:
    torch.manual_seed(seed)
    return network.Network(source)


def unlabeled(tokenizer: ReaderTokenizer) -> list[Any]:
    return [unlabeled_example(text, tokenizer) for text in TEXTS]


@pytest.mark.slow("it reads in 32 bits")
def test_soft_targets_are_the_mean_of_what_the_product_would_read(source: E5File, tokenizer: ReaderTokenizer) -> None:
    teachers, examples = [network_of(source, seed) for seed in (1, 2)], unlabeled(tokenizer)
    for target, example in zip(distillation.soft_targets(teachers, examples), examples, strict=True):
        assert target is not None
        read = [heads_read(one, example) for one in teachers]
        for part, (ours, theirs) in zip(("token", "message", "label", "named"), zip(*read, strict=True), strict=True):
            found = getattr(target, part).float().numpy()
            assert found.shape == ours.shape
            assert np.abs(found - (ours + theirs) / 2).max() < 0.02, part


def heads_read(teacher: Any, example: Any) -> tuple[Any, ...]:
    """The chances by the heads of the product, of the example alone."""
    stored = teacher.tensors()
    ours = Heads({name: values for name, values in stored.items() if not name.startswith(("enc", "emb"))})
    with torch.no_grad():
        padding = torch.zeros((1, len(example.tokens.ids)), dtype=torch.bool)
        hidden = teacher.upper(teacher.lower(torch.tensor([example.tokens.ids])), padding)[0].numpy()
    spans = ours.spans(hidden, [(span.first, span.past - 1) for span in example.spans])
    labels = [np.concatenate([[one.memorable, one.until], one.category, one.change, one.attribute]) for one in spans]
    return ours.tokens(hidden), ours.message(hidden), np.stack(labels), np.stack([one.about for one in spans])


def test_a_batch_lacks_what_its_examples_lack_whatever_pairs_stand_between(
    source: E5File, tokenizer: ReaderTokenizer
) -> None:
    student, examples = network_of(source, 3).eval(), unlabeled(tokenizer)
    targets = distillation.soft_targets([network_of(source, 4)], examples)
    pair = pair_example(Pair("p", "I live in Porto.", "I moved to Lisbon.", "replaces"), tokenizer)
    mixed = [examples[0], pair, examples[2]]
    drawn = [[1, 0], [], [0]]
    places = [(number, *edges(mixed[number].spans[place])) for number, of_one in enumerate(drawn) for place in of_one]
    together = distillation.distillation_losses(
        distillation.read(student, mixed, places), mixed, [targets[0], None, targets[2]], drawn
    )
    alone = [
        distillation.distillation_losses(distillation.read(student, [one], spans), [one], [target], [numbers])
        for one, target, numbers, spans in (
            (examples[0], targets[0], drawn[0], [(0, *rest) for _, *rest in places[:2]]),
            (examples[2], targets[2], drawn[2], [(0, *rest) for _, *rest in places[2:]]),
        )
    ]
    for name, shares in {"command": (1, 1), "category": (2, 1), "memorable": (2, 1)}.items():
        expected = sum(share * float(of_one[name]) for share, of_one in zip(shares, alone, strict=True)) / sum(shares)
        assert float(together[name]) == pytest.approx(expected, abs=1e-4), name
    lacking = train.loss_of(student, [(pair, None, student.lower(torch.tensor([pair.tokens.ids]))[0])], Random(1))
    assert lacking.item() > 0


def edges(span: Any) -> tuple[int, int]:
    return span.first, span.past


def test_an_example_without_labels_teaches_nothing_by_them(source: E5File, tokenizer: ReaderTokenizer) -> None:
    student, example = network_of(source, 5).eval(), unlabeled(tokenizer)[0]
    outputs = distillation.read(student, [example], [(0, *edges(span)) for span in example.spans])
    lacking = losses.label_losses(outputs, [example], example.spans)
    assert {name: float(loss) for name, loss in lacking.items() if float(loss)} == {}
    labeled = replace(example.spans[0], memorable=1)
    assert float(losses.label_losses(outputs, [example], [labeled, *example.spans[1:]])["memorable"]) > 0
