"""Recall of a ranking of turns: at several depths, and within several token budgets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import mean

from apps.engine.tokens.counting import count_text

DEPTHS = (5, 10, 20, 50)
COVERAGES = (1_000, 2_000, 4_000)
_WHOLE_AT = 10


@dataclass(slots=True)
class Recalled:
    """Results of one ranking over all questions, equally weighted. `by_category` is recall at ten."""

    recall: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    coverage: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    by_category: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    whole: list[bool] = field(default_factory=list)
    took_ms: list[float] = field(default_factory=list)

    def note(self, ranked: Sequence[str], evidence: Sequence[str], category: int, texts: dict[str, str]) -> None:
        """Add one question: its ranked turns, the turns that answer it, and the text of each turn."""
        for depth in DEPTHS:
            self.recall[depth].append(_share(ranked[:depth], evidence))
        for tokens in COVERAGES:
            self.coverage[tokens].append(_share(_within(ranked, tokens, texts), evidence))
        self.by_category[category].append(_share(ranked[:_WHOLE_AT], evidence))
        self.whole.append(set(evidence) <= set(ranked[:_WHOLE_AT]))

    def table_row(self) -> tuple[str, ...]:
        """A row of the table."""
        shares = [*map(mean, self.recall.values()), mean(self.whole), *map(mean, self.coverage.values())]
        categories = (mean(self.by_category[category]) for category in sorted(self.by_category))
        return tuple(f"{100 * share:.1f}" for share in (*shares, *categories))

    def numbers(self) -> dict[str, float]:
        values = {f"recall_at_{depth}": mean(shares) for depth, shares in self.recall.items()}
        values[f"all_evidence_at_{_WHOLE_AT}"] = mean(self.whole)
        values |= {f"context_coverage_{tokens // 1_000}k": mean(shares) for tokens, shares in self.coverage.items()}
        return {name: round(value, 4) for name, value in values.items()}


def header(categories: Iterable[int]) -> tuple[str, ...]:
    depths = (f"R@{depth}" for depth in DEPTHS)
    coverages = (f"in {tokens // 1_000}k" for tokens in COVERAGES)
    return ("ranked by", *depths, f"all@{_WHOLE_AT}", *coverages, *(f"cat. {one} R@10" for one in categories))


def _share(shown: Iterable[str], evidence: Sequence[str]) -> float:
    return len(set(shown) & set(evidence)) / len(evidence)


def _within(ranked: Sequence[str], tokens: int, texts: dict[str, str]) -> list[str]:
    """Take turns in order, skipping those that do not fit."""
    shown: list[str] = []
    for name in ranked:
        cost = count_text(texts[name])
        if cost <= tokens:
            tokens -= cost
            shown.append(name)
    return shown
