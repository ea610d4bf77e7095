"""Limits of the benchmarks, read from limits.toml, and the lines that are over one of them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("limits.toml")

Line = dict[str, Any]


class UnknownFigure(Exception):
    """A limit names a figure that its line does not have."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A bound on one figure of the lines named `line` that have the values `where`; per another figure of the line."""

    line: str
    figure: str
    per: str = ""
    where: Mapping[str, Any] = field(default_factory=dict)
    at_most: float | None = None
    at_least: float | None = None

    def __post_init__(self) -> None:
        if (self.at_most is None) == (self.at_least is None):
            raise ValueError(f"The limit of {self.name} of {self.line} needs either at_most or at_least.")

    @property
    def name(self) -> str:
        return f"{self.figure} / {self.per}" if self.per else self.figure

    @property
    def bound(self) -> str:
        """The bound as text.

        >>> Limit("find", "recall_at_10", at_least=0.99).bound
        '≥ 0.99'
        """
        return f"≥ {self.at_least:g}" if self.at_most is None else f"≤ {self.at_most:g}"

    def applies_to(self, line: Line) -> bool:
        """Whether the line has what is limited; one that was skipped has no figures."""
        if line.get("bench") != self.line or "skipped" in line:
            return False
        return all(line.get(name) == value for name, value in self.where.items())

    def value(self, line: Line) -> float:
        """The limited value, a ratio where the limit has `per`. Raises `UnknownFigure`."""
        try:
            return round(line[self.figure] / line[self.per] if self.per else line[self.figure], 4)
        except (KeyError, TypeError) as error:
            raise UnknownFigure(f"A line of {self.line} has no number {error.args[0]}.") from error

    def allows(self, value: float) -> bool:
        """Whether the value is within the bound; one that is no number never is."""
        if self.at_most is not None:
            return value <= self.at_most
        return self.at_least is not None and self.at_least <= value


def limits(bench: str, path: Path = FILE) -> list[Limit]:
    """The limits of one benchmark."""
    rows = tomllib.loads(path.read_text(encoding="utf-8")).get(bench, [])
    return [Limit(**{"line": bench, **row}) for row in rows]


def judged(line: Line, of_bench: Iterable[Limit]) -> Line:
    """The line with its values and bounds under `limits`."""
    found = {limit.name: _verdict(limit, limit.value(line)) for limit in of_bench if limit.applies_to(line)}
    return {**line, "limits": found} if found else line


def _verdict(limit: Limit, value: float) -> Line:
    return {"value": value, "bound": limit.bound, "ok": limit.allows(value)}


def over(line: Line) -> list[str]:
    """The names of the limits that a judged line does not keep."""
    return [name for name, verdict in line.get("limits", {}).items() if not verdict["ok"]]


def unmet(lines: Iterable[Line], of_bench: Iterable[Limit]) -> Iterator[Limit]:
    """Limits for which no line was printed: a figure that is no longer measured guards nothing."""
    printed = list(lines)
    return (limit for limit in of_bench if not any(limit.applies_to(line) for line in printed))
