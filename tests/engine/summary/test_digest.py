"""Offline digests of a span of messages, and digests of several digests."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.messages.message import Message, Role
from apps.engine.policy import Policy
from apps.engine.summary.digest import digest, digest_again
from apps.engine.tokens.estimate import estimate_message, estimate_text

CHILDREN = [
    "Decisions:\n- We chose Redis (because: it is fast.)\nCurrent plan:\n- Write the spec\nSaid:\n- user: Hello there",
    "Decisions:\n- We chose Redis (because: it is fast.)\nOpen questions:\n- Who owns it?\nSaid:\n- assistant: Hm.",
    "Current plan:\n- Ship on Friday\nDefinitions:\n- SLA: the promise of uptime\nSaid:\n- user: We agreed on Mondays.",
]


def test_summary_fields_come_first_without_duplicates() -> None:
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


def test_the_most_important_quote_is_preserved_if_the_limit_is_small() -> None:
    digests = ["Said:\n- user: Hello there", "Said:\n- user: Final decision: Mondays.", "Said:\n- assistant: Hm."]
    assert digest_again(digests, 10) == "Said:\n- user: Final decision: Mondays."


def test_unstructured_lines_are_quoted_unchanged() -> None:
    assert digest_again(["They compared brokers.\n\n- Redis won"], 40) == "Said:\n- They compared brokers.\n- Redis won"


def test_a_digest_of_digests_can_be_read_again() -> None:
    once = digest_again(CHILDREN, 250)
    assert digest_again([once], 250) == once


def test_an_empty_span_has_an_empty_digest() -> None:
    assert digest_again([], 250) == digest_again(["", "\n"], 250) == digest([], 200, Policy()) == ""


lines = st.one_of(
    st.text(max_size=120),
    st.sampled_from(["Decisions:", "Said:", "Goals:", "Current plan:", "Definitions:", "- user: We agreed.", "- "]),
)


@given(st.lists(st.lists(lines, max_size=12).map("\n".join), max_size=5), st.integers(0, 300))
def test_a_digest_of_digests_respects_its_limit_and_repeats_nothing(texts: list[str], limit: int) -> None:
    combined = digest_again(texts, limit)
    assert estimate_text(combined) <= limit
    quotes = combined.partition("Said:\n")[2].splitlines()
    assert combined == digest_again(texts, limit)
    assert len(quotes) == len(set(quotes)) or any("…" in line for line in quotes)


@given(st.lists(st.tuples(st.sampled_from(Role), st.text(max_size=400)), max_size=20), st.integers(0, 250))
def test_a_digest_respects_its_limit(turns: list[tuple[Role, str]], limit: int) -> None:
    messages = [
        Message(f"m{index}", index, role, text, estimate_message(text)) for index, (role, text) in enumerate(turns)
    ]
    assert estimate_text(digest(messages, limit, Policy())) <= limit
