"""Recall of a ranking of turns: at several depths, within several token budgets, and by session."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import mean

from apps.engine.tokens.counting import count_text

DEPTHS = (5, 10, 20, 50)
COVERAGES = (1_000, 2_000, 4_000)
SESSION_DEPTHS = (5, 10)
_WHOLE_AT, _MANY = 10, 20


@dataclass(slots=True)
class Recalled:
    """Results of one ranking over all questions, equally weighted. `by_category` is recall at ten, `many_by_category`
    at twenty.

    A session is the data's own: "D3:7" is the seventh turn of the third session. `session_hits` at a depth counts a
    question if any of the first turns, that many, is from a session with evidence (the field's recall_any, which takes
    as many different sessions and so is never lower). `session_shares` is the share of the sessions with evidence that
    these turns are from.
    """

    recall: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    coverage: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    by_category: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    many_by_category: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    session_hits: dict[int, list[bool]] = field(default_factory=lambda: defaultdict(list))
    session_shares: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    whole: list[bool] = field(default_factory=list)
    took_ms: list[float] = field(default_factory=list)

    def note(self, ranked: Sequence[str], evidence: Sequence[str], category: int, texts: dict[str, str]) -> None:
        """Add one question: its ranked turns, the turns that answer it, and the text of each turn."""
        for depth in DEPTHS:
            self.recall[depth].append(_share(ranked[:depth], evidence))
        for tokens in COVERAGES:
            self.coverage[tokens].append(_share(_within(ranked, tokens, texts), evidence))
        self.by_category[category].append(_share(ranked[:_WHOLE_AT], evidence))
        self.many_by_category[category].append(_share(ranked[:_MANY], evidence))
        for depth in SESSION_DEPTHS:
            share = _share(map(session_of, ranked[:depth]), [*dict.fromkeys(map(session_of, evidence))])
            self.session_shares[depth].append(share)
            self.session_hits[depth].append(share > 0)
        self.whole.append(set(evidence) <= set(ranked[:_WHOLE_AT]))

    def table_row(self, categories: Iterable[int]) -> tuple[str, ...]:
        """A row of the table; a category without questions has a dash."""
        sessions = [mean(hits) for hits in self.session_hits.values()]
        shares = [*map(mean, self.recall.values()), mean(self.whole), *map(mean, self.coverage.values()), *sessions]
        by_category = (
            by.get(category, []) for category in categories for by in (self.by_category, self.many_by_category)
        )
        return (*map(_percent, shares), *(_percent(mean(one)) if one else "–" for one in by_category))

    def numbers(self) -> dict[str, float]:
        values = {f"recall_at_{depth}": mean(shares) for depth, shares in self.recall.items()}
        values[f"all_evidence_at_{_WHOLE_AT}"] = mean(self.whole)
        values |= {f"context_coverage_{tokens // 1_000}k": mean(shares) for tokens, shares in self.coverage.items()}
        values |= {f"session_recall_at_{depth}": mean(hits) for depth, hits in self.session_hits.items()}
        values |= {f"session_share_at_{depth}": mean(shares) for depth, shares in self.session_shares.items()}
        for depth, by_category in ((_WHOLE_AT, self.by_category), (_MANY, self.many_by_category)):
            values |= {f"category_{one}_recall_at_{depth}": mean(by_category[one]) for one in sorted(by_category)}
        values["ms_per_query"] = mean(self.took_ms) if self.took_ms else 0.0
        return {name: round(value, 4) for name, value in values.items()}


def header(categories: Iterable[int]) -> tuple[str, ...]:
    depths = (f"R@{depth}" for depth in DEPTHS)
    coverages = (f"in {tokens // 1_000}k" for tokens in COVERAGES)
    sessions = (f"session@{depth}" for depth in SESSION_DEPTHS)
    named = (f"cat. {one} R@{depth}" for one in categories for depth in (_WHOLE_AT, _MANY))
    return ("ranked by", *depths, f"all@{_WHOLE_AT}", *coverages, *sessions, *named)


def session_of(turn: str) -> str:
    """The session of a turn.

    >>> session_of("D3:7")
    'D3'
    """
    return turn.partition(":")[0]


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


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
