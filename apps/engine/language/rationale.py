"""Why something was chosen, and what a later choice replaces: the clauses inside a decision."""

from __future__ import annotations

import re

from apps.engine.language.similarity import normalized_case, stems

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
_OLD = r"([\w`'./+#-]+(?: [\w`'./+#-]+){0,3}?)"
_NEW = r"([\w`'./+#-]+(?: [\w`'./+#-]+){0,4}?)"
_STOP = r"(?=[,.;:!?)]|$| (?:because|since|for|so|as|in|on|to|and|due|after|from|at|when|with|by)\b)"
_REPLACEMENTS = (
    re.compile(rf"(?:instead of|rather than|in place of) (?:using |the |a )?{_OLD}{_STOP}"),
    re.compile(
        rf"\b(?:switch|switched|switching|move|moved|moving|migrate|migrated|change"
        rf"|changed) from (?:the )?{_OLD} to {_NEW}{_STOP}"
    ),
    re.compile(rf"\breplac(?:e|ed|ing) (?:the )?{_OLD} (?:with|by) {_NEW}{_STOP}"),
    re.compile(
        rf"\b(?:drop|dropped|dropping|ditch|ditched|abandon|abandoned|scrap|scrapped|forget about"
        rf"|no longer (?:use|using|need|want)) (?:the )?{_OLD}{_STOP}"
    ),
    re.compile(rf", not (?:the |a )?{_OLD}{_STOP}"),
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


def replaced_by(text: str) -> frozenset[str]:
    """The stems of what a sentence retracts.

    >>> sorted(replaced_by("Use Postgres instead of MongoDB for events"))
    ['mongodb']
    """
    low = normalized_case(text)[:400]
    found = next((match for pattern in _REPLACEMENTS if (match := pattern.search(low))), None)
    return stems(found.group(1)) if found else frozenset()
