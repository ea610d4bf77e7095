"""The network that is trained and the heads that the product computes are the same, where PyTorch is installed."""

from __future__ import annotations

import numpy as np
import pytest

from apps.llm.reading import heads
from apps.llm.reading.e5 import e5_file
from apps.llm.reading.heads import Heads

torch = pytest.importorskip("torch", reason="only who trains the reader has it")


def test_the_product_computes_what_was_trained() -> None:
    from studies.reading.network import Network  # noqa: PLC0415  # it needs torch

    network = Network(e5_file()).eval()
    ours = Heads({name: values for name, values in network.tensors().items() if not name.startswith(("enc", "emb"))})
    ids, padding = torch.tensor([[0, 10, 20, 30, 2], [0, 10, 2, 1, 1]]), torch.zeros((2, 5), dtype=torch.bool)
    padding[1, 3:] = True
    with torch.no_grad():
        outputs = network.outputs(network.lower(ids), padding, [(0, 1, 4), (1, 1, 2)])
        states = network.upper(network.lower(ids[:1]), padding[:1])[0].numpy()
        shorter = network.upper(network.lower(ids[1:, :3]), padding[1:, :3])[0].numpy()
    tokens, message, relation = outputs.token[0], outputs.message[0], outputs.relation[0]
    label, named = outputs.label, outputs.named
    assert np.allclose(ours.tokens(states)[:, heads.TRAP], tokens[:, heads.TRAP].sigmoid(), atol=1e-5)
    assert np.allclose(ours.tokens(states)[:, heads.BEGIN], tokens[:, :3].softmax(1)[:, heads.BEGIN], atol=1e-5)
    assert np.allclose(ours.message(states)[heads.COMMAND], message[heads.COMMAND].softmax(0), atol=1e-5)
    assert np.allclose(ours.relation(states), relation.softmax(0), atol=1e-5)
    (span,) = ours.spans(states, [(1, 3)])
    assert np.allclose(span.about, named[0].softmax(0), atol=1e-5)
    assert np.allclose(span.attribute, label[0, heads.ATTRIBUTE].softmax(0), atol=1e-5)
    assert span.memorable == pytest.approx(float(label[0, heads.MEMORABLE].sigmoid()), abs=1e-5)
    (of_shorter,) = ours.spans(shorter, [(1, 1)])
    assert np.allclose(of_shorter.about, named[1].softmax(0)[:3], atol=1e-5)
    assert np.allclose(ours.message(shorter)[heads.COMMAND], outputs.message[1, heads.COMMAND].softmax(0), atol=1e-5)
