"""Calibration: how sure the network may be, by banks that it was not trained on.

Its score is scaled and shifted (Platt 1999), which its last layer then does itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch

from apps.llm.reading.e5 import E5File
from apps.llm.reading.tokenizer import ReaderTokenizer, sentencepiece_model
from studies.relevance.banks import Bank, Judged, calibration_banks
from studies.relevance.network import RelevanceNetwork
from studies.relevance.training import by_likeness, lower_output

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

NEAREST = 8
"""Memories of a message that the product might judge."""
STEPS = 50


def calibrate(network: RelevanceNetwork, source: E5File) -> None:
    """Scale and shift the scores so that they are the logarithms of odds."""
    tokenizer = ReaderTokenizer(sentencepiece_model(source.vocabulary))
    judged = [one for bank in calibration_banks() for one in nearest(bank)]
    slope, offset = fitted(scores_of(network, tokenizer, judged), np.array([float(one.is_relevant) for one in judged]))
    with torch.no_grad():
        network.relevance.weight *= slope
        network.relevance.bias.mul_(slope).add_(offset)


def nearest(bank: Bank) -> Iterator[Judged]:
    """Each message with the memories nearest to it."""
    for message, order in zip(bank.messages, by_likeness(bank), strict=True):
        for place in order[:NEAREST]:
            yield Judged(message.text, bank.memories[place], place in message.relevant)


def scores_of(network: RelevanceNetwork, tokenizer: ReaderTokenizer, judged: Sequence[Judged]) -> Array:
    with torch.no_grad():
        values = (lower_output(network, tokenizer, one)[None].float() for one in judged)
        return np.array([float(network(one, torch.zeros(one.shape[:2], dtype=torch.bool))[0]) for one in values])


def fitted(scores: Array, targets: Array) -> tuple[float, float]:
    """The slope and the offset of the likeliest logistic curve, by Newton's method.

    >>> slope, offset = fitted(np.array([-1.0, -1.0, -1.0, -1.0, 1.0, 1.0]), np.array([0, 0, 0, 1, 0, 1]))
    >>> round(slope, 2), round(offset, 2)
    (0.55, -0.55)
    """
    inputs, weights = np.stack([scores, np.ones_like(scores)], axis=1), np.array([1.0, 0.0])
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-inputs @ weights))
        curvature = inputs.T @ (inputs * (chances * (1 - chances))[:, None])
        weights = weights - np.linalg.solve(curvature, inputs.T @ (chances - targets))
    return float(weights[0]), float(weights[1])
