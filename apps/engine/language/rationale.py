"""Why something was chosen, and whether a sentence takes something back: the clauses inside a decision."""

from __future__ import annotations

import re

from apps.engine.language.similarity import normalized_case

_BECAUSE = re.compile(
    r"(?:,|;|\s[–—-])?\s(?:(?:mainly|mostly|simply|just|partly|precisely|especially) )?(?:because(?! of\b)"
    r"|'?cause(?= (?:it|i|we|they|he|she|that|the|of)\b)"
    r"|cuz|since(?! (?:then|last|we last|i last|\d|yesterday|monday|january|when|my|the (?:start|beginning"
    r"|last)))|due to|given that|seeing as)\s+"
    r"|(?:,|;|\s[–—-])?\s(?=(?:because of|so that|so (?:we|i|it|they|you|the) (?:can|could|don't|do not|will"
    r"|won't|would)|to (?:avoid|keep|reduce|prevent|make sure|ensure|stay|save|allow)|as (?:it|they|we|i) "
    r"(?:is|are|has|have|need|needs|want|already|can))\b)"
)
_BECAUSE_FIRST = re.compile(
    r"^(?:because|since|given that|as)\s+(.{8,160}?),\s+(?=(?:i|we|let's|use|the|our"
    r"|they)\b)"
)
_FOLLOWS = re.compile(
    r"^(?:(?:this is |that's |that is |it's )?(?:mainly |mostly )?(?:because|'cause)\b,?|(?:the |my "
    r"|our )?(?:main )?reasons?(?: is| was| being)?:?(?: that)?"
    r"|rationale:|why:)\s+"
)
_FOLLOWS_WHOLE = re.compile(
    r"^(?:that way|this way|(?:it|this|that) (?:gives|lets|avoids|keeps|means|saves|allows|helps|makes)"
    r"|they (?:help|give|offer|have))\b"
)
_CORRECTS = re.compile(
    r"^(?:(?:oh|hmm|sorry|ok|okay|hey)[,.!]? )?(?:actually|no(?=[,.!;])|nope|wait|scratch that|correction"
    r"|on second thoughts?|i meant|i was wrong|my mistake|change of plans?"
    r"|let's change|forget (?:that|what)|not anymore)\b|\b(?:changed (?:my|our) minds?|after all)\b"
)


def reason_split(text: str) -> tuple[str, str]:
    """A decision's text and its reason, which is empty when none is given.

    >>> reason_split("Chose PostgreSQL over MongoDB because we need strong consistency.")
    ('Chose PostgreSQL over MongoDB', 'we need strong consistency.')
    """
    low = normalized_case(text)
    if first := _BECAUSE_FIRST.match(low):
        return text[first.end() :], text[first.start(1) : first.end(1)]
    found = _BECAUSE.search(low, 8)
    if not found or len(text) - found.end() < 6:
        return text, ""
    return text[: found.start()], text[found.end() :]


def reason_following(text: str) -> str:
    """The reason that a sentence right after a decision gives for it, or nothing.

    >>> reason_following("The reason is that bcrypt cuts passwords at 72 bytes.")
    'bcrypt cuts passwords at 72 bytes.'
    """
    low = normalized_case(text)
    if match := _FOLLOWS.match(low):
        return text[match.end() :]
    return text if _FOLLOWS_WHOLE.match(low) else ""


def is_correction(text: str) -> bool:
    """Whether a sentence retracts an earlier statement.

    >>> is_correction("Actually, make it 300 ms"), is_correction("Make it 300 ms")
    (True, False)
    """
    return bool(_CORRECTS.search(normalized_case(text)[:200]))
