"""Utterances for tests, and what is found in them."""

from __future__ import annotations

from apps.engine.extraction.candidate import Candidate, Speaker, Utterance
from apps.engine.extraction.extract import extract


def utterance(text: str, speaker: Speaker = Speaker.SELF, index: int = 0, name: str = "") -> Utterance:
    return Utterance(f"message-{index}", index, speaker, text, name)


def found(text: str, speaker: Speaker = Speaker.SELF) -> list[Candidate]:
    return list(extract([utterance(text, speaker)]).candidates)


def quotes(text: str, speaker: Speaker = Speaker.SELF) -> list[str]:
    return [candidate.quote.text for candidate in found(text, speaker)]


def refusals(text: str) -> list[str]:
    return [str(refused.why) for refused in extract([utterance(text)]).refused]
