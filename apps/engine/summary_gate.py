"""The gate before a model's summary replaces another: a summary that lost what the old one held does not pass.

What it asks is little and sure: not emptier, not longer than what it replaces, no empty skeleton, names kept.
Corrected lines are nothing that it could lose: they are put back whatever it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from apps.engine.corrections import without_corrected
from apps.engine.sections import entry_text, summary_text
from apps.engine.summary import FIELDS, Decision, Entry, Reference, ReferenceType, RollingSummary
from apps.engine.tokens import count_text

LEAST_KEPT = 0.6
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
_TOKEN = re.compile(r"[\w./:@#%+-]+")
_LOOKS_LIKE_NAME = re.compile(r"\d|_|/|\w\.\w|[a-z][A-Z]")
_NAMED_TYPES = frozenset({ReferenceType.FILE, ReferenceType.URL, ReferenceType.ID})


@dataclass(frozen=True, slots=True)
class Replacement:
    """`folded_tokens` is how much text of messages the proposed summary takes in."""

    current: RollingSummary
    proposed: RollingSummary
    folded_tokens: int


def summary_problem(replacement: Replacement) -> str:
    """Why the proposed summary may not replace the current one; empty when it may."""
    checks = (_emptier, _longer, _names_lost)
    return next((problem for check in checks if (problem := check(replacement))), "")


def is_placeholder(text: str) -> bool:
    """Whether a line only says that there is nothing to say.

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


def identifiers(summary: RollingSummary) -> frozenset[str]:
    """Names and numbers by which decisions and references are found again, in lower case."""
    return frozenset(name.lower() for _, entry in summary.entries() for name in _names(entry))


def _emptier(replacement: Replacement) -> str:
    before, after = _lines(without_corrected(replacement.current)), _lines(without_placeholders(replacement.proposed))
    if not after and replacement.folded_tokens > _FOLDED_TOKENS_WITH_SUBSTANCE:
        return "The summary has no lines, though there was much to summarise."
    if after < before * _LEAST_LINES:
        return f"The summary has {after} lines where the current one has {before}."
    return ""


def _longer(replacement: Replacement) -> str:
    replaced = count_text(summary_text(replacement.current)) + replacement.folded_tokens
    tokens = count_text(summary_text(replacement.proposed))
    return f"The summary is longer ({tokens} tokens) than all it replaces ({replaced})." if tokens > replaced else ""


def _names_lost(replacement: Replacement) -> str:
    known = identifiers(without_corrected(replacement.current))
    text = "\n".join(entry_text(entry) for _, entry in replacement.proposed.entries()).lower()
    lost = sorted(name for name in known if name not in text)
    if not known or len(lost) <= len(known) * (1 - LEAST_KEPT):
        return ""
    return "Names of the current summary's decisions and references are lost: " + ", ".join(lost[:_LOST_TOLD]) + "."


def _names(entry: Entry) -> Iterator[str]:
    if isinstance(entry, Reference):
        if entry.type in _NAMED_TYPES:
            yield entry.value
    elif isinstance(entry, Decision):
        for token in _TOKEN.findall(entry.text):
            name = token.strip("./:@#%+-")
            if len(name) > 1 and _LOOKS_LIKE_NAME.search(name):
                yield name


def _body(entry: Entry) -> str:
    return entry.value if isinstance(entry, Reference) else entry.text


def _lines(summary: RollingSummary) -> int:
    return sum(summary.sizes().values())
