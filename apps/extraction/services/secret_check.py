"""Refusal of candidates with a secret, whoever found them, before anything of them is sent or stored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from apps.engine.extraction.candidate import Candidate, Quote, Refused
from apps.engine.extraction.grounding import texts_of
from apps.engine.extraction.refusal import Refusal
from apps.extraction.secrets import Secret, has_secret, redacted


def secret_check(candidate: Candidate, secrets: Iterable[Secret] = ()) -> Candidate | Refused:
    """Return the candidate, its context redacted; or refuse it for a secret in its texts or, of its message, its quote.

    `secrets` are those of its message that it can't be seen to have alone, such as a part of one.
    """
    if _overlaps(candidate.quote, secrets) or has_secret(*texts_of(candidate)):
        return Refused(candidate.quote, Refusal.SECRET, candidate)
    return replace(candidate, context=redacted(candidate.context)) if candidate.context else candidate


def _overlaps(quote: Quote, secrets: Iterable[Secret]) -> bool:
    return any(one.start < quote.span.end and quote.span.start < one.end for one in secrets)
