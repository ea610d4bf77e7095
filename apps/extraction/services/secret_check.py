"""Refusal of candidates with a secret, whoever found them, before anything of them is sent or stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from apps.common.secrets.redaction import Secret, has_secret, redacted, secrets_of
from apps.engine.extraction.candidate import Candidate, Extraction, Quote, Refused
from apps.engine.extraction.grounding import texts_of
from apps.engine.extraction.refusal import Refusal
from apps.extraction.extractors.transcript import Transcript


def secret_check(candidate: Candidate, secrets: Iterable[Secret] = ()) -> Candidate | Refused:
    """Return the candidate, its context redacted; or refuse it for a secret in its texts or, of its message, its quote.

    `secrets` are those of its message that it can't be seen to have alone, such as a part of one.
    """
    if _overlaps(candidate.quote, secrets) or has_secret(*texts_of(candidate)):
        return Refused(candidate.quote, Refusal.SECRET, candidate)
    return replace(candidate, context=redacted(candidate.context)) if candidate.context else candidate


def _overlaps(quote: Quote, secrets: Iterable[Secret]) -> bool:
    return any(one.start < quote.span.end and quote.span.start < one.end for one in secrets)


def all_checked(found: Iterable[Candidate | Refused], secrets: Mapping[str, Sequence[Secret]]) -> Extraction:
    """Refuse what has a secret; in the order of the words."""
    checked = [
        one if isinstance(one, Refused) else secret_check(one, secrets.get(one.quote.message_id, ())) for one in found
    ]
    ordered = sorted(checked, key=lambda one: (one.quote.index, one.quote.span.start))
    return Extraction(
        tuple(one for one in ordered if isinstance(one, Candidate)),
        tuple(one for one in ordered if isinstance(one, Refused)),
    )


def secrets_in(transcript: Transcript) -> Mapping[str, Sequence[Secret]]:
    """The secrets of each message, also those that its speaker's next message continues."""
    shown = [*transcript.earlier, *transcript.messages]
    found: dict[str, list[Secret]] = {one.id: [] for one in shown}
    by_speaker = [[one for one in shown if one.speaker is speaker] for speaker in {one.speaker for one in shown}]
    for run in (shown, *by_speaker):
        for one, secrets in zip(run, secrets_of([one.text for one in run]), strict=True):
            found[one.id] += secrets
    return found
