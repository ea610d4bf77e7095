from __future__ import annotations

from apps.engine.messages.parsing import read_messages
from apps.engine.summary.current_plan import newest_plan
from tests.engine.transcripts import transcript


def _steps(*turns: tuple[str, str]) -> list[str]:
    return [step.sentence.text for step in newest_plan(read_messages(transcript(*turns))).steps]


def test_a_numbered_list_is_a_plan_only_if_it_lists_actions() -> None:
    assert _steps(("a", "1. Create the table\n2. Load the data")) == ["Create the table", "Load the data"]
    assert _steps(("a", "1. Postgres is strict\n2. SQLite is small")) == []


def test_sentences_in_sequence_are_a_plan() -> None:
    assert len(_steps(("u", "First, we export the users. Then we import them. Finally, we compare the counts."))) == 3


def test_a_newer_plan_replaces_the_older_one_and_later_steps_are_appended() -> None:
    steps = _steps(
        ("a", "Plan:\n- Create the index\n- Drop the view"),
        ("a", "Plan:\n- Rename the table\n- Rebuild the view"),
        ("u", "Tomorrow we'll announce the change to the whole team."),
    )
    assert steps == ["Rename the table", "Rebuild the view", "Tomorrow we'll announce the change to the whole team."]


def test_completed_steps_are_removed() -> None:
    assert _steps(("a", "Plan:\n- [x] Create the index\n- [ ] Drop the view\n- [ ] Tell Ann")) == [
        "Drop the view",
        "Tell Ann",
    ]
    assert _steps(("a", "Plan:\n1. Create the index\n2. Drop the view"), ("u", "Step 1 is done.")) == ["Drop the view"]


def test_a_sequence_of_past_actions_is_not_a_plan() -> None:
    assert _steps(("u", "Then we moved the table. After that we celebrated.")) == []
