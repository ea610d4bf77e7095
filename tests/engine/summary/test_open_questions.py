from __future__ import annotations

import pytest

from apps.engine.messages.parsing import read_messages
from apps.engine.summary.open_questions import is_answered, is_rhetorical, open_questions
from tests.engine.transcripts import transcript


def _open(*turns: tuple[str, str]) -> list[str]:
    return [sentence.text for _, sentence in open_questions(read_messages(transcript(*turns)))]


@pytest.mark.parametrize(
    "text", ["How are you?", "It works now, right?", "Would you like me to continue?", "Any questions?"]
)
def test_polite_questions_are_not_open_questions(text: str) -> None:
    assert is_rhetorical(text)
    assert _open(("a", text)) == []


def test_a_reply_closes_a_question_and_a_deferral_does_not() -> None:
    question = ("a", "Which region should we deploy the workers to?")
    assert _open(question) == [question[1]]
    assert _open(question, ("u", "Frankfurt is best.")) == []
    assert _open(question, ("u", "Not sure yet, let me check.")) == [question[1]]
    assert (
        _open(question, ("u", "Not sure yet."), ("u", "We deploy the workers to Frankfurt, that region is near.")) == []
    )


def test_undecided_points_are_open_questions() -> None:
    assert _open(("u", "We still need to decide on a caching strategy.")) == [
        "We still need to decide on a caching strategy."
    ]


def test_a_question_is_not_an_answer() -> None:
    later = read_messages(transcript(("u", "Should we deploy the workers to that region?")))
    assert not is_answered("Which region should we deploy the workers to?", later)
