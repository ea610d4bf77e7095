from __future__ import annotations

from apps.engine.messages.parsing import read_messages
from apps.engine.summary.current_plan import newest_plan
from tests.engine.transcripts import told


def _steps(*turns: tuple[str, str]) -> list[str]:
    return [step.sentence.text for step in newest_plan(read_messages(told(*turns))).steps]


def test_numbered_actions_are_a_plan_and_numbered_facts_are_not() -> None:
    assert _steps(("a", "1. Create the table\n2. Load the data")) == ["Create the table", "Load the data"]
    assert _steps(("a", "1. Postgres is strict\n2. SQLite is small")) == []


def test_sentences_in_sequence_are_a_plan() -> None:
    assert len(_steps(("u", "First, we export the users. Then we import them. Finally, we compare the counts."))) == 3


def test_a_newer_plan_replaces_the_older_and_single_steps_join_it() -> None:
    steps = _steps(
        ("a", "Plan:\n- Create the index\n- Drop the view"),
        ("a", "Plan:\n- Rename the table\n- Rebuild the view"),
        ("u", "Tomorrow we'll announce the change to the whole team."),
    )
    assert steps == ["Rename the table", "Rebuild the view", "Tomorrow we'll announce the change to the whole team."]


def test_ticked_and_numbered_steps_that_are_done_go() -> None:
    assert _steps(("a", "Plan:\n- [x] Create the index\n- [ ] Drop the view\n- [ ] Tell Ann")) == [
        "Drop the view",
        "Tell Ann",
    ]
    assert _steps(("a", "Plan:\n1. Create the index\n2. Drop the view"), ("u", "Step 1 is done.")) == ["Drop the view"]


def test_what_was_done_in_sequence_is_no_plan() -> None:
    assert _steps(("u", "Then we moved the table. After that we celebrated.")) == []
