"""The floor of an encoder: what its multiplications take in floats, by numpy."""

from __future__ import annotations

from bench._packs.percentiles import p50, took_ms

_HIDDEN, _INNER = 384, 1_536
_TURNS = 50


def encoder_floor_ms(tokens: int, layers: int) -> float:
    """The time of the multiplications of one text, layer by layer, each with weights of its own."""
    import numpy as np  # noqa: PLC0415  # its time and memory are those of the process that is measured

    sizes = ((_HIDDEN, 3 * _HIDDEN), (_HIDDEN, _HIDDEN), (_HIDDEN, _INNER), (_INNER, _HIDDEN)) * layers
    pairs = [(np.ones((tokens, rows), np.float32), np.ones((rows, columns), np.float32)) for rows, columns in sizes]

    def multiply() -> None:
        for states, weights in pairs:
            states @ weights

    multiply()
    return p50([took_ms(multiply) for _ in range(_TURNS)])
