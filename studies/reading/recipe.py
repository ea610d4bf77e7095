"""The recipe of a training."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Recipe:
    """How a network is trained.

    `frozen` of its lowest layers are not changed. One that `compares` learns from pairs of statements too. It reads
    nothing by the writers that it is `without`. One that `follows` another begins with its weights; of the messages,
    which that one has read, it reads one in `every` so many again, and of the pairs one in `every_pair`. One with
    `teachers` is distilled: it learns what they say on average, also of statements that no network has read alone.
    """

    epochs: int = 6
    batch: int = 32
    rate: float = 1.5e-4
    heads_rate: float = 1e-3
    frozen: int = 3
    seed: int = 0
    compares: bool = True
    without: tuple[str, ...] = ()
    follows: Recipe | None = None
    every: int = 1
    every_pair: int = 1
    teachers: tuple[Recipe, ...] = ()
