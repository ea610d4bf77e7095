from __future__ import annotations

import pytest

from apps.engine.language.cue_classifier import field_cues, heading_field, is_agreement


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("Our goal is to halve the response time.", "goals"),
        ("I'm hoping to run a marathon in Bergen.", "goals"),
        ("We're planning to move the shop.", "goals"),
        ("Can you help me debug the login?", "goals"),
        ("We decided to keep the old parser.", "decisions"),
        ("Let's go with SQLite.", "decisions"),
        ("Switched to argon2.", "decisions"),
        ("I signed up for a pottery course.", "decisions"),
        ("It must support 10,000 concurrent users.", "requirements"),
        ("Response time under 200ms.", "requirements"),
        ("Don't log the tokens.", "requirements"),
        ("I'm allergic to nuts.", "requirements"),
        ("Next, I'll write the tests.", "current_plan"),
        ("Need to decide on a caching strategy.", "open_questions"),
        ("We're waiting for the certificate.", "open_questions"),
    ],
)
def test_typical_phrases_are_assigned_to_their_field(text: str, field: str) -> None:
    cues = field_cues(text)
    assert max(cues, key=lambda name: cues[name]) == field


@pytest.mark.parametrize(
    "text",
    [
        "That must have been great!",
        "I'd love to hear more.",
        "We'll see.",
        "Keep going, you're doing fine.",
        "I haven't slept.",
        "That's great!",
        "Fingers crossed!",
    ],
)
def test_similar_phrases_without_content_have_no_cue(text: str) -> None:
    assert field_cues(text) == {}


def test_headings_map_to_fields() -> None:
    fields = [heading_field(text) for text in ("open questions", "decisions so far", "glossary", "to-do", "results")]
    assert fields == ["open_questions", "decisions", "definitions", "current_plan", ""]


def test_agreement_with_a_condition_is_not_agreement() -> None:
    assert [is_agreement(text) for text in ("Yes, do that", "Yes, but later", "Maybe")] == [True, False, False]
