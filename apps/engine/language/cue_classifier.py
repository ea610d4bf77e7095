"""Classification of sentences by cues: the summary fields that a sentence suits, and how strongly."""

from __future__ import annotations

from functools import lru_cache

from apps.engine.language.cue_patterns import (
    AGREEMENT,
    CUES,
    DIRECTIVE,
    HEADINGS,
    LEAD_IN,
    OBJECTION,
    PROPOSAL,
    REFUSALS,
)
from apps.engine.language.similarity import normalized_case

EXAMINED = 600


def field_cues(text: str) -> dict[str, float]:
    """How strongly a text sounds like a line of each field; absent fields have no cue at all.

    >>> field_cues("We decided to keep Redis")
    {'decisions': 4}
    >>> field_cues("That must have been great!")
    {}
    """
    return dict(_cues(without_lead_in(text)[:EXAMINED]))


def heading_field(heading: str) -> str:
    """The field that a heading, label or lead-in announces, or nothing.

    >>> heading_field("next steps"), heading_field("why it is slow")
    ('current_plan', '')
    """
    return next((name for name, pattern in HEADINGS if heading and pattern.search(heading)), "")


def is_agreement(text: str) -> bool:
    """Whether an answer accepts what was proposed, without a but.

    >>> is_agreement("Sounds good, do it."), is_agreement("OK, but use MySQL")
    (True, False)
    """
    low = normalized_case(text[:EXAMINED])
    return bool(AGREEMENT.match(low)) and not OBJECTION.search(low)


def is_proposal(text: str) -> bool:
    """Whether a sentence recommends something for the other side to accept.

    >>> is_proposal("I'd recommend argon2 for new hashes.")
    True
    """
    return bool(PROPOSAL.search(normalized_case(text[:EXAMINED])))


def is_directive(text: str) -> bool:
    """Whether a choice is put as a proposal or an order; between friends that is advice or cheer.

    >>> is_directive("Let's keep in touch"), is_directive("I chose the blue one")
    (True, False)
    """
    return bool(DIRECTIVE.search(normalized_case(text[:EXAMINED])))


def without_lead_in(text: str) -> str:
    """The text without the interjections it begins with.

    >>> without_lead_in("Yeah, thanks Ann! We moved to Oslo.")
    'We moved to Oslo.'
    """
    rest = text[match.end() :] if (match := LEAD_IN.match(text)) else text
    return rest or text


@lru_cache(maxsize=10_000)
def _cues(text: str) -> tuple[tuple[str, float], ...]:
    """Return fields with their cue's weight; cached, because a sentence is classified for several fields in turn."""
    low = normalized_case(text)
    cues = {name: cue for name in CUES if (cue := _strongest(name, low))}
    if "open_questions" in cues:
        return (("open_questions", cues["open_questions"]),)
    return tuple(cues.items())


def _strongest(name: str, low: str) -> float:
    weight = next((weight for weight, pattern in CUES[name] if pattern.search(low)), 0.0)
    refusal = REFUSALS.get(name)
    return 0.0 if weight and refusal and refusal.search(low) else weight
