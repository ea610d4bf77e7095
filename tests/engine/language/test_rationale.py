from __future__ import annotations

import pytest

from apps.engine.language.rationale import is_correction, reason_following, reason_split


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("We use UTC because clocks change.", ("We use UTC", "clocks change.")),
        ("We chose Redis since it is already there.", ("We chose Redis", "it is already there.")),
        ("Keys rotate monthly due to the audit.", ("Keys rotate monthly", "the audit.")),
        ("Since nobody reads it, we dropped the log.", ("we dropped the log.", "nobody reads it")),
        ("Cache it so that pages load fast.", ("Cache it", "so that pages load fast.")),
        ("We use it since 2019.", ("We use it since 2019.", "")),
        ("We chose Redis.", ("We chose Redis.", "")),
    ],
)
def test_a_reason_is_split_from_the_choice(text: str, split: tuple[str, str]) -> None:
    assert reason_split(text) == split


def test_the_next_sentence_may_give_the_reason() -> None:
    assert reason_following("That way nobody waits.") == "That way nobody waits."
    assert reason_following("Lunch is at noon.") == ""


def test_corrections_are_recognized() -> None:
    assert all(map(is_correction, ("No, use the other one.", "Actually it is 3.", "We changed our minds.")))
    assert not any(map(is_correction, ("No direct pushes to main", "Now use it.")))
