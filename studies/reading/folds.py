"""The folds of the cross-validation.

Whole writers are left out: who knows a writer's other messages knows how they speak.
"""

from __future__ import annotations

from pathlib import Path

_NEWER = (
    ("w61", "w64", "w66", "w68", "w72", "w74", "w76", "w82", "w84", "w86", "w91", "w94"),
    ("w62", "w63", "w65", "w67", "w71", "w73", "w75", "w77", "w78", "w83", "w85", "w87", "w92", "w93"),
)
_BANKS = (
    ("w101", "w105", "w107", "w110", "w113", "w115"),
    ("w102", "w104", "w106", "w108", "w109", "w111", "w114", "w116"),
)
FOLDS: tuple[tuple[str, ...], ...] = (
    ("w1", "w5", "w6", "w21", "w24", "w26", "w29", "w32", "w41", "w44", "w18", "w81", "w103", "w112"),
    ("w2", "w7", "w11", "w17", "w22", "w25", "w28", "w30", "w42", "w46", "w51", "w53", *_NEWER[0], *_BANKS[0]),
    ("w3", "w8", "w12", "w13", "w15", "w23", "w27", "w31", "w33", "w43", "w45", "w52", "w34", *_NEWER[1], *_BANKS[1]),
)
"""The three parts are alike in languages and kinds of text; w18, w34, w53 and w81 to w87 wrote pairs alone, w101
to w116 banks."""


def fold_of(writer: str) -> int:
    """The fold that a writer is left out of; raises StopIteration for a writer who is in none."""
    return next(number for number, left_out in enumerate(FOLDS) if writer in left_out)


def chances_of(fold: int) -> Path:
    """The file with what was read of the fold's rows by a network that did not know their writers."""
    return Path(__file__).parent / "chances" / f"{fold}.json.gz"
