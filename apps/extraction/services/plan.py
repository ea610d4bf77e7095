"""Plan of a batch: candidates by the rules and by a model, judged by the grounding gate. No unit is open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from apps.engine.extraction.candidate import Candidate, Extraction, Refused
from apps.engine.extraction.extract import EXTRACTOR, extract
from apps.engine.extraction.grounding import grounded
from apps.engine.extraction.union import united
from apps.extraction.extractors.model import claims_by_model
from apps.extraction.extractors.prompt import WITH_MODEL
from apps.extraction.extractors.transcript import Transcript
from apps.extraction.secrets import Secret, secrets_of
from apps.extraction.services.secret_check import secret_check
from apps.extraction.services.snapshot import Snapshot
from apps.llm.errors import ModelError

# Later attempts use the rules alone if the model fails again.
_ATTEMPTS_WITH_MODEL = 2


class ModelFailed(Exception):
    """A model's failure after which the batch is tried again later; nothing was stored."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Plan:
    """What was found, by which extractor; `model_unavailable` is why the rules were alone, empty if they were not."""

    found: Extraction
    extractor: str
    model_unavailable: str = ""


def plan_of(snapshot: Snapshot, *, attempt: int) -> Plan:
    """Find candidates; raises `ModelFailed` if the model's failure may pass before a later attempt."""
    transcript = snapshot.transcript
    rules = extract(transcript.messages)
    if snapshot.account is None:
        return Plan(_judged(rules, (), transcript), EXTRACTOR, snapshot.without_model)
    try:
        claims = claims_by_model(transcript, snapshot.account)
    except ModelError as error:
        if error.retryable and attempt <= _ATTEMPTS_WITH_MODEL:
            raise ModelFailed(error.code) from None
        return Plan(_judged(rules, (), transcript), EXTRACTOR, error.code)
    return Plan(_judged(rules, claims, transcript), WITH_MODEL)


def _judged(rules: Extraction, claims: Iterable[Candidate], transcript: Transcript) -> Extraction:
    """Judge both kinds of candidates, and unite them."""
    evidence, secrets = transcript.evidence, _secrets(transcript)

    def judged(candidates: Iterable[Candidate]) -> list[Candidate | Refused]:
        return [_checked(grounded(one, evidence), secrets) for one in candidates]

    by_rules = judged(rules.candidates)
    refused = [one for one in by_rules if isinstance(one, Refused)]
    candidates = [one for one in by_rules if isinstance(one, Candidate)]
    return united(Extraction(tuple(candidates), (*refused, *rules.refused)), judged(claims))


def _secrets(transcript: Transcript) -> Mapping[str, Sequence[Secret]]:
    """The secrets of each message, also those that its speaker's next message continues."""
    shown = [*transcript.earlier, *transcript.messages]
    found: dict[str, list[Secret]] = {one.id: [] for one in shown}
    by_speaker = [[one for one in shown if one.speaker is speaker] for speaker in {one.speaker for one in shown}]
    for run in (shown, *by_speaker):
        for one, secrets in zip(run, secrets_of([one.text for one in run]), strict=True):
            found[one.id] += secrets
    return found


def _checked(one: Candidate | Refused, secrets: Mapping[str, Sequence[Secret]]) -> Candidate | Refused:
    return one if isinstance(one, Refused) else secret_check(one, secrets.get(one.quote.message_id, ()))
