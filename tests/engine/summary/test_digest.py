"""What stands for a stretch of talk without a model, and for several such stretches."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.messages.message import Message, Role
from apps.engine.policy import Policy
from apps.engine.summary.digest import digest, digest_again
from apps.engine.tokens.counting import count_message, count_text

CHILDREN = [
    "Decisions:\n- We chose Redis (because: it is fast.)\nCurrent plan:\n- Write the spec\nSaid:\n- user: Hello there",
    "Decisions:\n- We chose Redis (because: it is fast.)\nOpen questions:\n- Who owns it?\nSaid:\n- assistant: Hm.",
    "Current plan:\n- Ship on Friday\nDefinitions:\n- SLA: the promise of uptime\nSaid:\n- user: We agreed on Mondays.",
]


def test_what_was_settled_comes_first_once_and_under_its_heading() -> None:
    assert digest_again(CHILDREN, 250).splitlines() == [
        "Decisions:",
        "- We chose Redis (because: it is fast.)",
        "Current plan:",
        "- Ship on Friday",
        "Open questions:",
        "- Who owns it?",
        "Definitions:",
        "- SLA: the promise of uptime",
        "Said:",
        "- user: Hello there",
        "- assistant: Hm.",
        "- user: We agreed on Mondays.",
    ]


def test_of_what_was_said_the_weightiest_stays_where_room_is_short() -> None:
    said = ["Said:\n- user: Hello there", "Said:\n- user: Final decision: Mondays.", "Said:\n- assistant: Hm."]
    assert digest_again(said, 10) == "Said:\n- user: Final decision: Mondays."


def test_lines_of_another_shape_are_told_as_they_are() -> None:
    assert digest_again(["They compared brokers.\n\n- Redis won"], 40) == "Said:\n- They compared brokers.\n- Redis won"


def test_a_digest_of_digests_can_be_read_again() -> None:
    once = digest_again(CHILDREN, 250)
    assert digest_again([once], 250) == once


def test_nothing_is_told_of_nothing() -> None:
    assert digest_again([], 250) == digest_again(["", "\n"], 250) == digest([], 200, Policy()) == ""


lines = st.one_of(
    st.text(max_size=120),
    st.sampled_from(["Decisions:", "Said:", "Goals:", "Current plan:", "Definitions:", "- user: We agreed.", "- "]),
)


@given(st.lists(st.lists(lines, max_size=12).map("\n".join), max_size=5), st.integers(0, 300))
def test_a_digest_of_digests_keeps_to_its_limit_and_says_nothing_twice(texts: list[str], limit: int) -> None:
    told = digest_again(texts, limit)
    assert count_text(told) <= limit
    said = told.partition("Said:\n")[2].splitlines()
    assert told == digest_again(texts, limit)
    assert len(said) == len(set(said)) or any("…" in line for line in said)


@given(st.lists(st.tuples(st.sampled_from(Role), st.text(max_size=400)), max_size=20), st.integers(0, 250))
def test_a_digest_keeps_to_its_limit(said: list[tuple[Role, str]], limit: int) -> None:
    messages = [Message(f"m{index}", index, role, text, count_message(text)) for index, (role, text) in enumerate(said)]
    assert count_text(digest(messages, limit, Policy())) <= limit
