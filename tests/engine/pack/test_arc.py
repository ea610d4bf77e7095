"""The arc of a conversation, at a density that depends on the hidden messages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.messages.message import Message, Role
from apps.engine.pack.arc import Density, arc_text, at_density
from apps.engine.summary.rendering import HEADINGS
from apps.engine.summary.rolling_summary import (
    FIELDS,
    Decision,
    Definition,
    Line,
    Reference,
    ReferenceType,
    RollingSummary,
)
from tests.engine.conversations import conversations, dialogue, indexed, summaries, text_message

SUMMARY = RollingSummary(
    goals=(Line("ship", ("m1",)),),
    decisions=(Decision("Redis", "fast", ("m1",)),),
    requirements=(Line("offline", ("m1",)),),
    current_plan=(Line("write tests", ("m1",)),),
    open_questions=(Line("which day?", ("m1",)),),
    definitions=(Definition("pack", "what a model sees", ("m1",)),),
    references=(Reference(ReferenceType.FILE, "app.py", "", ("m1",)),),
)
RICH = {"goals", "decisions", "open_questions"}


def fields_of(summary: RollingSummary) -> set[str]:
    return {name for name, _ in summary.entries()}


@pytest.mark.parametrize(
    ("density", "shown", "hidden"),
    [
        (Density.LIGHT, {"goals"}, set(FIELDS)),
        (Density.RICH, RICH, set(FIELDS)),
        (Density.DENSE, set(FIELDS), set(FIELDS)),
    ],
)
def test_a_light_arc_does_not_repeat_included_messages(density: Density, shown: set[str], hidden: set[str]) -> None:
    assert fields_of(at_density(SUMMARY, density, {"m1"})) == shown
    assert fields_of(at_density(SUMMARY, density, {"m2"})) == hidden


def test_a_line_is_included_if_one_source_is_hidden_or_it_was_corrected() -> None:
    lines = (Line("half", ("m1", "m2")), Line("mine", ("m1",), corrected=True), Line("shown", ("m1",)))
    included = at_density(RollingSummary(requirements=lines), Density.LIGHT, {"m1"}).requirements
    assert [line.text for line in included] == ["half", "mine"]


@given(summaries, st.sampled_from(Density), st.sets(st.sampled_from(["m0", "m1", "m2", "m3", "m4"])))
def test_a_denser_arc_includes_all_lines_of_a_lighter_one_in_order(
    summary: RollingSummary, density: Density, shown: set[str]
) -> None:
    included = list(at_density(summary, density, shown).entries())
    denser = list(at_density(summary, Density.DENSE, shown).entries())
    assert denser == list(summary.entries())
    rest = iter(denser)
    assert all(entry in rest for entry in included)
    assert at_density(at_density(summary, density, shown), density, shown) == at_density(summary, density, shown)


def test_a_few_messages_are_listed_one_by_one() -> None:
    messages = indexed([text_message(Role.USER, "Hello\nthere", name="Ana"), text_message(Role.ASSISTANT, "x" * 140)])
    assert arc_text(messages, hides=True) == (
        f"{HEADINGS['arc']}\n- user (Ana): Hello there\n- assistant: {'x' * 100}…"
    )


@pytest.mark.parametrize(("count", "lines"), [(0, 1), (1, 1), (6, 6), (7, 1)])
def test_six_messages_are_few_and_seven_are_not(count: int, lines: int) -> None:
    assert len(arc_text(dialogue(count, 50), hides=True).splitlines()) == 1 + lines


@given(conversations)
def test_without_hidden_messages_the_arc_is_empty(messages: list[Message]) -> None:
    assert arc_text(messages, hides=False) == ""
    arc = arc_text(messages, hides=True)
    assert arc.startswith(HEADINGS["arc"])
    assert len(arc.split("\n")) == 1 + (len(messages) if 0 < len(messages) <= 6 else 1)
