from __future__ import annotations

from apps.engine.policy import Level, Policy
from apps.engine.summary.consolidation import Consolidation, Placed
from apps.engine.summary.rolling_summary import Decision, Definition, Line, Reference, ReferenceType, RollingSummary

PLACES = {"a": 0, "b": 1, "c": 2}


def _merged(
    field: str, *entries: Line | Decision | Definition | Reference, level: Level = Level.LIGHT
) -> RollingSummary:
    consolidation = Consolidation(level, Policy(), PLACES)
    return consolidation.merged({field: [Placed(entry, consolidation.place(entry)) for entry in entries]})


def test_near_duplicates_are_merged_with_the_oldest_sources_first() -> None:
    merged = _merged(
        "goals", Line("Ship the importer by May", ("b",)), Line("Ship the importers by May!", ("c", "old"))
    )
    assert merged.goals == (Line("Ship the importers by May!", ("old", "b", "c")),)


def test_a_newer_wording_without_a_reason_keeps_the_reason() -> None:
    merged = _merged(
        "decisions",
        Decision("Use Redis for sessions", "it is there", ("a",)),
        Decision("Use Redis for sessions", "", ("b",)),
    )
    assert merged.decisions == (Decision("Use Redis for sessions", "it is there", ("a", "b")),)


def test_a_term_has_one_definition() -> None:
    merged = _merged(
        "definitions", Definition("Pack", "a bag", ("a",)), Definition("pack", "what a model sees", ("b",))
    )
    assert merged.definitions == (Definition("pack", "what a model sees", ("a", "b")),)


def test_a_reference_keeps_its_note() -> None:
    first = Reference(ReferenceType.FILE, "a.py", "the entry", ("a",))
    merged = _merged("references", first, Reference(ReferenceType.FILE, "a.py", "", ("b",)))
    assert merged.references == (Reference(ReferenceType.FILE, "a.py", "the entry", ("a", "b")),)


def test_lines_with_different_numbers_are_not_merged_at_any_level() -> None:
    lines = (
        Line("The mail service answers within 10 ms", ("a",)),
        Line("The chat service answers within 20 ms", ("b",)),
    )
    assert all(len(_merged("requirements", *lines, level=level).requirements) == 2 for level in Level)


def test_lines_are_sorted_from_old_to_new() -> None:
    merged = _merged(
        "goals", Line("Write the manual", ("c",)), Line("Sell 40 bikes", ("removed",)), Line("Open in Turin", ("a",))
    )
    assert [goal.text for goal in merged.goals] == ["Sell 40 bikes", "Open in Turin", "Write the manual"]


def test_a_replaced_choice_is_removed_from_the_plan() -> None:
    consolidation = Consolidation(Level.LIGHT, Policy(), PLACES)
    merged = consolidation.merged(
        {
            "decisions": [Placed(Decision("Use Kafka instead of RabbitMQ", "", ("c",)), 2)],
            "current_plan": [
                Placed(Line("Install RabbitMQ", ("a",)), 0),
                Placed(Line("Write the consumer", ("a",)), 0),
            ],
        }
    )
    assert [step.text for step in merged.current_plan] == ["Write the consumer"]
