"""Reading of recorded conversations with questions."""

from __future__ import annotations

import json
from pathlib import Path

from studies.samples import samples_of

CONVERSATION = {
    "speaker_a": "Ann",
    "speaker_b": "Ben",
    "session_1_date_time": "1:56 pm on 8 May, 2023",
    "session_1": [{"speaker": "Ann", "dia_id": "D1:1", "text": "I sold the boat."}],
}
QUESTIONS = [
    {"question": "What did Ann sell?", "answer": "the boat", "evidence": ["D1:1"], "category": 4},
    {"question": "What did Ben sell?", "adversarial_answer": "the boat", "evidence": ["D1:1"], "category": 5},
    {"question": "Where is it?", "answer": "?", "evidence": ["D9:9"], "category": 4},
]


def test_questions_without_an_answer_are_apart_from_those_with_evidence(tmp_path: Path) -> None:
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps([{"sample_id": "conv-1", "conversation": CONVERSATION, "qa": QUESTIONS}]))
    (sample,) = samples_of(file)
    assert list(sample.turns) == ["D1:1"]
    assert [(one.text, one.evidence) for one in sample.questions] == [("What did Ann sell?", ("D1:1",))]
    assert list(sample.unanswerable) == ["What did Ben sell?"]
