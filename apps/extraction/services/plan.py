"""Plan of a batch: what a model claims, judged by the grounding gate, or what the reader finds. No unit is open."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import structlog

from apps.engine.extraction.candidate import Extraction
from apps.engine.extraction.extract import EXTRACTOR, Thresholds, extract, forget_requests
from apps.engine.extraction.grounding import grounded
from apps.engine.extraction.lists import read_parts
from apps.engine.extraction.parts import parts_of
from apps.engine.reading.forget_words import may_ask_to_forget
from apps.extraction.extractors.model import claims_by_model
from apps.extraction.extractors.prompt import WITH_MODEL
from apps.extraction.extractors.transcript import Transcript
from apps.extraction.services.answers import without_needless_questions
from apps.extraction.services.forgetting.same_batch import without_forgotten
from apps.extraction.services.secret_check import all_checked, secrets_in
from apps.extraction.services.snapshot import Snapshot
from apps.llm.errors import ModelError
from apps.llm.reading.installed import read_messages

_log = structlog.get_logger("continuity.extraction")
# Later attempts use the reader if the model fails again.
_ATTEMPTS_WITH_MODEL = 2


class ModelFailed(Exception):
    """A model's failure after which the batch is tried again later; nothing was stored."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Plan:
    """What was found, by which extractor; `model_unavailable` is why the reader did it, empty if a model did."""

    found: Extraction
    extractor: str
    model_unavailable: str = ""

    @property
    def is_by_reader(self) -> bool:
        return self.extractor == EXTRACTOR


def plan_of(snapshot: Snapshot, *, attempt: int) -> Plan:
    """Find candidates; raises `ModelFailed` if the model's failure may pass before a later attempt."""
    transcript = snapshot.transcript
    if snapshot.account is None:
        return Plan(_found_by_reader(snapshot), EXTRACTOR, snapshot.without_model)
    # Before a model is paid.
    asked = _forget_requests(transcript)
    try:
        claims = claims_by_model(transcript, snapshot.account)
    except ModelError as error:
        if error.retryable and attempt <= _ATTEMPTS_WITH_MODEL:
            raise ModelFailed(error.code) from None
        return Plan(_found_by_reader(snapshot), EXTRACTOR, error.code)
    evidence = transcript.evidence
    wanted = [one for one in dict.fromkeys(claims) if one.quote.message_id not in asked.unretrievable]
    found = all_checked([grounded(one, evidence) for one in wanted], secrets_in(transcript))
    found = replace(found, forgets=asked.forgets, unretrievable=asked.unretrievable)
    return Plan(without_forgotten(found.without_quotable_secrets()), WITH_MODEL)


def _found_by_reader(snapshot: Snapshot) -> Extraction:
    """The same; raises `ModelFailed` while the reader cannot be loaded: the messages wait for it, or for a model."""
    with reader_awaited():
        return found_by_reader(snapshot)


@contextmanager
def reader_awaited() -> Iterator[None]:
    """Raise `ModelFailed` if our own models fail: the messages wait for them."""
    try:
        yield
    except ModelError as error:
        raise ModelFailed(f"reader: {error.detail}") from None


def found_by_reader(snapshot: Snapshot) -> Extraction:
    """What people say in the messages of a snapshot, by our own reader; raises `ModelError` if it cannot be loaded."""
    transcript, thresholds = snapshot.transcript, Thresholds.of(snapshot.policy)
    parts, reads = read_parts(parts_of(transcript.messages, transcript.earlier), read_messages)
    found = extract(without_needless_questions(parts, reads, thresholds.accepted), reads, thresholds)
    secrets = secrets_in(transcript)
    checked = all_checked([*found.candidates, *found.refused], secrets)
    possible = all_checked(found.possible, secrets).candidates
    found = replace(found, candidates=checked.candidates, refused=checked.refused, possible=possible)
    return without_forgotten(found.without_quotable_secrets())


def _forget_requests(transcript: Transcript) -> Extraction:
    """What people ask to forget, or not to remember, by our own reader: a model is only asked for memories."""
    parts = [one for one in parts_of(transcript.messages, transcript.earlier) if may_ask_to_forget(one.text)]
    try:
        return forget_requests(parts, read_messages([part.input for part in parts]))
    except ModelError as error:
        if error.retryable:
            raise ModelFailed(f"reader: {error.detail}") from None
        _log.warning("extraction.no_reader", detail=error.detail)
        return Extraction((), ())
