"""The reader's heads: what the vectors of a message's tokens say of them, of the message and of its spans.

Every head is a matrix; that of spans has a layer before it, and that of messages attends to the tokens that tell. They
are trained in `studies/reading`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    Array = NDArray[float32]

OUTSIDE, BEGIN, INSIDE, TRAP, SECRET, COMMANDED, ENDED = range(7)
"""Outputs for a token. The first three exclude each other; `ENDED` is what a change ends, like a former address."""
HAS_FACT, COMMAND = 0, slice(1, 5)
"""Outputs for a message."""
MEMORABLE, UNTIL, CATEGORY, CHANGE, ATTRIBUTE = 0, 1, slice(2, 8), slice(8, 12), slice(12, None)
"""Outputs for a span."""


@dataclass(frozen=True, slots=True)
class SpanChances:
    """The labels of a span: chances in the order of `apps.engine.reading.labels`.

    `about` has a chance for each token of the input that it names whom the span is about; the first token is the user.
    """

    memorable: float
    until: float
    category: Array
    change: Array
    attribute: Array
    about: Array


@dataclass(frozen=True, slots=True)
class Heads:
    """The weights by name."""

    weights: Mapping[str, Array]

    def tokens(self, hidden: Array) -> Array:
        """The chances of each token, in columns."""
        import numpy as np  # noqa: PLC0415  # only imported in processes that read

        output = self._linear("token", hidden)
        excluding = _softmax(output[:, : INSIDE + 1])
        return np.concatenate([excluding, _sigmoid(output[:, TRAP:])], axis=1)

    def message(self, hidden: Array) -> Array:
        """The chance that the message holds anything, and those of the commands."""
        import numpy as np  # noqa: PLC0415  # only imported in processes that read

        output = self._linear("message", hidden.mean(axis=0)) + self._attended(hidden)
        return np.concatenate([_sigmoid(output[:1]), _softmax(output[COMMAND])])

    def _attended(self, hidden: Array) -> Array:
        """What single tokens add to the output of a message: each output attends to the tokens that tell of it."""
        attention = _softmax(self._linear("attending", hidden).T)
        return (attention.T * self._linear("telling", hidden)).sum(axis=0)  # type: ignore[no-any-return]  # of arrays

    def relation(self, hidden: Array) -> Array:
        """The chances of what the message is to the statement before it, in the order of `labels.RELATIONS`."""
        import numpy as np  # noqa: PLC0415  # only imported in processes that read

        return _softmax(self._linear("relation", np.concatenate([hidden[0], hidden.mean(axis=0)])))

    def relevance(self, hidden: Array) -> float:
        """The chance that a memory is relevant to the message after it."""
        import numpy as np  # noqa: PLC0415  # only imported in processes that read

        inner = _gelu(self._linear("compared", np.concatenate([hidden[0], hidden.mean(axis=0)])))
        return float(_sigmoid(self._linear("relevance", inner))[0])

    def spans(self, hidden: Array, spans: Sequence[tuple[int, int]]) -> list[SpanChances]:
        """The labels of each span, from the vectors of its first to its last token."""
        import numpy as np  # noqa: PLC0415  # only imported in processes that read

        mean = hidden.mean(axis=0)
        parts = [
            np.concatenate([hidden[first : last + 1].mean(axis=0), hidden[first], hidden[last], mean])
            for first, last in spans
        ]
        inner = [_gelu(self._linear("span", part)) for part in parts]
        return [self._span(hidden, one) for one in inner]

    def _span(self, hidden: Array, inner: Array) -> SpanChances:
        output = self._linear("label", inner)
        scores = self._linear("named", hidden) @ self._linear("naming", inner) / hidden.shape[1] ** 0.5
        memorable, until = _sigmoid(output[: UNTIL + 1])
        category, change, attribute = (_softmax(output[part]) for part in (CATEGORY, CHANGE, ATTRIBUTE))
        return SpanChances(float(memorable), float(until), category, change, attribute, _softmax(scores))

    def _linear(self, name: str, values: Array) -> Array:
        return values @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]


def _sigmoid(values: Array) -> Array:
    import numpy as np  # noqa: PLC0415  # only imported in processes that read

    return np.asarray(1 / (1 + np.exp(-values)), dtype=np.float32)


def _softmax(values: Array) -> Array:
    import numpy as np  # noqa: PLC0415  # only imported in processes that read

    raised = np.exp(values - values.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True), dtype=np.float32)


def _gelu(values: Array) -> Array:
    """GELU by its approximation with tanh, in training and here."""
    import numpy as np  # noqa: PLC0415  # only imported in processes that read

    inner = 0.7978845608 * (values + 0.044715 * values**3)
    return np.asarray(0.5 * values * (1 + np.tanh(inner)), dtype=np.float32)
