"""Quality gate: a model's summary that lost content of the current one is rejected.

Its checks are few and reliable: not emptier and not longer than what it replaces, no placeholders, names preserved, no
instructions to the model. Corrected lines are not checked: they are always restored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from apps.engine.summary.carry_over import ReportedRemovals, contains_name, names_of
from apps.engine.summary.corrections import without_corrected
from apps.engine.summary.rendering import entry_text, summary_text
from apps.engine.summary.rolling_summary import FIELDS, Entry, Reference, RollingSummary
from apps.engine.summary.trust.prompt_injection import ordering_lines, without_orders
from apps.engine.tokens.estimate import estimate_text

MIN_COVERAGE = 0.6
_LEAST_LINES = 0.5
_FOLDED_TOKENS_WITH_SUBSTANCE = 2_400
_LOST_TOLD = 8
_NEGATIONS = frozenset(["no", "none", "nothing", "not", "n/a", "na", "unknown", "unspecified", "empty", "tbd"])
_FILLERS = frozenset(
    word
    for line in """
    prior previous earlier specific explicit clear new open known further current history conversation context goal
    goals decision decisions requirement requirements plan plans step steps question questions definition definitions
    reference references information content message messages summary yet available specified mentioned provided given
    made stated defined applicable found identified so far to report was were is are has have been any and or in this
    the of recorded noted
""".splitlines()
    for word in line.split()
)
_WORDS = re.compile(r"[\w/.]+")


@dataclass(frozen=True, slots=True)
class Replacement:
    """`compacted_tokens` of messages are new in the proposed summary; `reported` are the lines its writer removed."""

    current: RollingSummary
    proposed: RollingSummary
    compacted_tokens: int
    reported: ReportedRemovals = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Problem:
    """The reason for a rejection, and the names concerned, which are content and not for logs."""

    why: str
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.why.removesuffix('.')}: {', '.join(self.names)}." if self.names else self.why


def summary_problem(replacement: Replacement) -> Problem | None:
    """Why the proposed summary may not replace the current one, if it may not."""
    checks = (_emptier, _longer, _names_lost, _gives_orders)
    return next((problem for check in checks if (problem := check(replacement))), None)


def is_placeholder(text: str) -> bool:
    """Whether a line is only a placeholder for "nothing".

    >>> [is_placeholder(text) for text in ("No prior history.", "None", "N/A", "No decisions made yet")]
    [True, True, True, True]
    >>> [is_placeholder(text) for text in ("No tabs in the code", "Ship the plan", "Nothing older than Python 3.11")]
    [False, False, False]
    """
    words = [word.strip(".") for word in _WORDS.findall(text.lower())]
    return not words or (words[0] in _NEGATIONS and all(word in _FILLERS | _NEGATIONS for word in words))


def without_placeholders(summary: RollingSummary) -> RollingSummary:
    kept = {
        name: tuple(entry for entry in getattr(summary, name) if not is_placeholder(_body(entry))) for name in FIELDS
    }
    return replace(summary, **kept)


def identifiers(summary: RollingSummary, reported: ReportedRemovals | None = None) -> frozenset[str]:
    """Names and numbers that identify decisions and references, in lower case, without those of reported removals."""
    kept = (entry for _, entry in summary.entries() if entry not in (reported or {}))
    return frozenset(name.lower() for entry in kept for name in names_of(entry))


def _emptier(replacement: Replacement) -> Problem | None:
    before, after = _lines(_to_be_kept(replacement.current)), _lines(without_placeholders(replacement.proposed))
    if not after and replacement.compacted_tokens > _FOLDED_TOKENS_WITH_SUBSTANCE:
        return Problem("The summary has no lines, though there was much to summarize.")
    if after < before * _LEAST_LINES:
        return Problem(f"The summary has {after} lines where the current one has {before}.")
    return None


def _longer(replacement: Replacement) -> Problem | None:
    replaced = estimate_text(summary_text(replacement.current)) + replacement.compacted_tokens
    tokens = estimate_text(summary_text(replacement.proposed))
    if tokens <= replaced:
        return None
    return Problem(f"The summary is longer ({tokens} tokens) than the messages it replaces ({replaced}).")


def _names_lost(replacement: Replacement) -> Problem | None:
    known = identifiers(_to_be_kept(replacement.current), replacement.reported)
    text = "\n".join(entry_text(entry) for _, entry in replacement.proposed.entries())
    lost = sorted(name for name in known if not contains_name(text, name))
    if not known or len(lost) <= len(known) * (1 - MIN_COVERAGE):
        return None
    reported = f"{len(lost)} of {len(known)} names of the current summary's decisions and references are lost."
    return Problem(reported, tuple(lost[:_LOST_TOLD]))


def _to_be_kept(current: RollingSummary) -> RollingSummary:
    return without_orders(without_corrected(current))


def _gives_orders(replacement: Replacement) -> Problem | None:
    named = sorted({name for name, _ in ordering_lines(replacement.proposed)})
    return Problem(f"Lines of {', '.join(named)} give orders to a model; leave them out.") if named else None


def _body(entry: Entry) -> str:
    return entry.value if isinstance(entry, Reference) else entry.text


def _lines(summary: RollingSummary) -> int:
    return sum(summary.sizes().values())
