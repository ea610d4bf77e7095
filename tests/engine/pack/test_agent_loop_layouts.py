"""Trimming of agent loops to a token limit by layouts."""

from __future__ import annotations

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.messages.message import Message, Part, PartKind, Role
from apps.engine.pack.agent_loop_layouts import (
    LAYOUTS,
    Costs,
    Form,
    LayoutNotFound,
    Loop,
    Section,
    Trimmed,
    choose_layout,
    costs_of,
    full_tokens,
    tokens_of,
    trim,
)
from apps.engine.policy import Policy
from apps.engine.tokens.estimate import estimate_message

_numbers = count()


def message(text: str, role: Role = Role.USER, *parts: Part) -> Message:
    number = next(_numbers)
    tokens = estimate_message(text) + sum(part.token_count for part in parts)
    return Message(f"m{number}", number, role, text, tokens, parts=parts)


def call(name: str = "search") -> Message:
    return message("", Role.ASSISTANT, Part(PartKind.TOOL_CALL, '{"q": 1}', "c1", name))


def result(text: str, summary: str = "") -> Message:
    return message("", Role.TOOL, Part(PartKind.TOOL_RESULT, text, "c1", "search", summary))


def loop_of(history: int = 100, output: int = 100, summary: str = "three hits", current: int = 50) -> Loop:
    """A loop whose sections have about the given numbers of tokens."""
    return Loop(
        history=tuple(
            message("We agreed on tea. " * 4, (Role.USER, Role.ASSISTANT)[n % 2]) for n in range(history // 22)
        ),
        in_loop=(call(), result("row " * output, summary)),
        current=(message("Now I know. " * (current // 3), Role.ASSISTANT),),
    )


def forms(trimmed: Trimmed) -> tuple[str, ...]:
    return tuple(trimmed.layout[section].value for section in Section)


COSTS = st.fixed_dictionaries(
    {
        section: st.integers(0, 5_000).flatmap(
            lambda full: st.fixed_dictionaries(
                {
                    Form.FULL: st.just(full),
                    Form.TOOL_SUMMARY: st.integers(0, full),
                    Form.SUMMARY: st.just(min(1_024, full)),
                }
            )
        )
        for section in Section
    }
)


def test_there_are_eighteen_layouts() -> None:
    assert len(LAYOUTS) == 18
    assert all(layout[Section.HISTORY] is not Form.TOOL_SUMMARY for layout in LAYOUTS)


def test_a_loop_that_fits_is_not_changed() -> None:
    loop = loop_of()
    trimmed = trim(loop, 10_000, Policy())
    assert forms(trimmed) == ("full", "full", "full")
    assert (trimmed.in_loop, trimmed.summary, trimmed.dump_summary) == ((*loop.in_loop, *loop.current), "", False)


def test_tool_summaries_are_used_before_the_history_is_summarized() -> None:
    loop = loop_of(history=200, output=1_000)
    full_size = full_tokens(loop.history) + full_tokens(loop.in_loop) + full_tokens(loop.current)
    trimmed = trim(loop, full_size - 400, Policy(), summary_tokens=10)
    # Both layouts fit; a token of the results weighs two, one of the history one.
    assert forms(trimmed) == ("full", "tool_summary", "full")
    assert trimmed.in_loop[1].parts[0].text == "three hits"


def test_a_long_history_is_summarized_before_any_loop_message() -> None:
    loop = loop_of(history=4_000, output=100)
    trimmed = trim(loop, 2_000, Policy())
    assert forms(trimmed) == ("summary", "full", "full")
    assert trimmed.dump_summary and "We agreed on tea." in trimmed.summary
    assert trimmed.in_loop == (*loop.in_loop, *loop.current)


def test_the_current_message_is_summarized_last() -> None:
    loop = loop_of(history=4_000, output=3_000, summary="", current=600)
    trimmed = trim(loop, 1_000, Policy(), summary_tokens=100)
    assert forms(trimmed) == ("summary", "summary", "full")
    assert [message.role for message in trimmed.in_loop] == [Role.ASSISTANT, Role.ASSISTANT]
    assert not any(message.calls or message.results for message in trimmed.in_loop[:1])


def test_reasoning_counts_though_it_is_not_shown() -> None:
    thinking = message("Yes.", Role.ASSISTANT, Part(PartKind.REASONING, "", tokens=700))
    loop = Loop((), (), (thinking,))
    assert costs_of(loop, 1_024)[Section.CURRENT][Form.FULL] == 705


def test_a_tool_summary_longer_than_its_result_is_ignored() -> None:
    loop = loop_of(output=1, summary="far more words than the result has")
    costs = costs_of(loop, 1_024)[Section.IN_LOOP]
    assert costs[Form.TOOL_SUMMARY] == costs[Form.FULL]


@pytest.mark.parametrize("tokens", [16, 30, 60])
def test_even_the_shortest_summary_has_content(tokens: int) -> None:
    loop = Loop((), (), (result("row after row of what the tool found " * 300),))
    (shortened,) = trim(loop, tokens, Policy(), summary_tokens=tokens).in_loop
    assert shortened.content and full_tokens([shortened]) <= tokens


def test_only_the_newest_part_of_a_very_long_history_is_summarized() -> None:
    long_history = tuple(message(f"We agreed on tea number {n}. " * 200) for n in range(40))
    summary = trim(Loop(long_history, (), (message("And now?"),)), 2_000, Policy()).summary
    assert "number 39" in summary and "number 0." not in summary


def test_a_loop_that_fits_no_layout_fails_with_the_smallest_possible_size() -> None:
    loop = loop_of(history=4_000, output=4_000, summary="", current=2_000)
    with pytest.raises(LayoutNotFound) as refused:
        trim(loop, 300, Policy(), summary_tokens=200)
    assert refused.value.smallest == 600
    assert trim(loop, 600, Policy(), summary_tokens=200).tokens == 600


@given(COSTS, st.integers(0, 12_000))
def test_no_other_layout_that_fits_loses_less(costs: Costs, limit: int) -> None:
    def loss(layout: dict[Section, Form]) -> int:
        weights = {Section.HISTORY: 1, Section.IN_LOOP: 2, Section.CURRENT: 4}
        return sum(weights[s] * (costs[s][Form.FULL] - costs[s][layout[s]]) for s in Section)

    fitting = [dict(layout) for layout in LAYOUTS if tokens_of(layout, costs) <= limit]
    if not fitting:
        with pytest.raises(LayoutNotFound):
            choose_layout(limit, costs)
        return
    layout = dict(choose_layout(limit, costs))
    assert layout in fitting
    assert loss(layout) == min(map(loss, fitting))


@given(
    st.integers(0, 3_000), st.integers(1, 3_000), st.sampled_from(["", "three hits"]), st.integers(3, 900), st.data()
)
def test_sent_messages_never_exceed_their_counted_tokens(
    history: int, output: int, summary: str, current: int, data: st.DataObject
) -> None:
    loop = loop_of(history, output, summary, current)
    costs = costs_of(loop, 150)
    smallest = min(tokens_of(layout, costs) for layout in LAYOUTS)
    trimmed = trim(loop, data.draw(st.integers(smallest, smallest * 4)), Policy(), summary_tokens=150)
    in_loop = sum(costs[section][trimmed.layout[section]] for section in (Section.IN_LOOP, Section.CURRENT))
    assert full_tokens(trimmed.in_loop) <= in_loop
    assert len(trimmed.summary) <= 4 * costs[Section.HISTORY][Form.SUMMARY]
