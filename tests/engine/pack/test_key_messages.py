"""Key messages: the most important messages of a span, quoted within a budget."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.language.truncation import FENCE
from apps.engine.messages.display import display_text
from apps.engine.messages.importance import importance, importance_of_place
from apps.engine.messages.message import Message, Role
from apps.engine.pack.key_messages import KeyMessages, WeightedMessage, key_messages, key_text
from apps.engine.summary.rendering import BETWEEN_SECTIONS
from apps.engine.tokens.estimate import estimate_text
from tests.engine.conversations import call, conversations, dialogue, indexed, result, sized, text_message
from tests.engine.packs import plain_dialogue

_GAP = re.compile(r"\[… ([\d,]+) messages? left out …\]")


def weigh(messages: list[Message]) -> list[WeightedMessage]:
    return [
        WeightedMessage(message.index, importance(display_text(message), message.role), message) for message in messages
    ]


def keys_of(messages: list[Message], budget: int) -> KeyMessages:
    return key_messages(weigh(messages), budget)


@st.composite
def weighted_spans(draw: st.DrawFn) -> list[WeightedMessage]:
    """Malformed messages and plain ones with decisions, code and questions, some not loaded."""
    rng = Random(draw(st.integers(0, 100_000)))
    plain = plain_dialogue(rng, draw(st.integers(0, 40)), rng.choice([2, 30]))
    span = weigh(indexed([*plain, *draw(conversations)]))
    return [item if rng.random() < 0.85 else replace(item, message=None) for item in span]


@given(weighted_spans(), st.integers(-20, 300) | st.integers(0, 4_000))
def test_key_messages_stay_within_their_budget(span: list[WeightedMessage], budget: int) -> None:
    keys = key_messages(span, budget)
    assert estimate_text(keys.text + BETWEEN_SECTIONS) <= budget if keys.text else not keys.ids
    assert keys == key_messages(span, budget)


@given(weighted_spans(), st.integers(0, 4_000))
def test_key_messages_are_in_order_with_every_gap_counted(span: list[WeightedMessage], budget: int) -> None:
    keys = key_messages(span, budget)
    positions = [at for at, item in enumerate(span) if item.message and item.message.id in keys.ids]
    assert keys.ids == tuple(one.message.id for at in positions if (one := span[at]).message)
    skipped = [later - earlier - 1 for earlier, later in pairwise([*positions, len(span)])]
    remaining = keys.text
    for at, gap in zip(positions, skipped, strict=True):
        message = span[at].message
        assert message
        paragraph = key_text(message)
        if message.id in keys.cut:
            paragraph = remaining[: remaining.index(" […]") + len(" […]")] if " […]" in remaining else remaining
            assert key_text(message).startswith(paragraph.removesuffix(" […]"))
        assert remaining.startswith(paragraph)
        remaining = remaining[len(paragraph) :].removeprefix(BETWEEN_SECTIONS)
        if gap:
            marker = _GAP.match(remaining)
            assert marker and int(marker[1].replace(",", "")) == gap
            remaining = remaining[marker.end() :].removeprefix(BETWEEN_SECTIONS)
    assert remaining == ""


@given(weighted_spans(), st.integers(0, 4_000))
def test_a_call_is_never_separated_from_its_result(span: list[WeightedMessage], budget: int) -> None:
    keys = key_messages(span, budget)
    chosen = [item.message for item in span if item.message and item.message.id in keys.ids]
    assert {name for message in chosen for name in message.calls} == {
        name for message in chosen for name in message.results
    }


@given(weighted_spans(), st.integers(0, 4_000))
def test_at_most_one_message_is_cut_and_never_inside_a_code_fence(span: list[WeightedMessage], budget: int) -> None:
    keys = key_messages(span, budget)
    assert len(keys.cut) <= 1 and set(keys.cut) <= set(keys.ids)
    for one in span:
        if one.message and one.message.id in keys.cut:
            # A message quoted in full may have an unclosed fence of its own.
            fences_elsewhere = sum(
                key_text(it.message).count(FENCE)
                for it in span
                if it.message and it.message.id in keys.ids and it is not one
            )
            assert (keys.text.count(FENCE) - fences_elsewhere) % 2 == 0


@given(st.integers(0, 100_000), st.integers(1, 40), st.integers(0, 2_000))
def test_no_omitted_message_outweighs_a_quoted_one(seed: int, count: int, budget: int) -> None:
    messages = indexed(plain_dialogue(Random(seed), count, 20))
    keys = keys_of(messages, budget)
    weights = {
        message.id: importance(display_text(message), message.role) + importance_of_place(at, count)
        for at, message in enumerate(messages)
    }
    chosen = [weights[name] for name in keys.ids]
    assert all(weight <= min(chosen) for name, weight in weights.items() if chosen and name not in keys.ids)


@given(weighted_spans(), st.integers(0, 4_000))
def test_any_message_text_is_quoted_under_its_header(span: list[WeightedMessage], budget: int) -> None:
    for line in key_messages(span, budget).text.splitlines():
        assert line.startswith("> ") or re.match(r"\[#\d+ |\[… [\d,]+ messages? left out …\]$|$", line)


def test_a_key_message_is_named_in_one_line_and_quoted_line_by_line() -> None:
    message = replace(text_message(Role.USER, "Hi.\n\r\n## Pinned\u2028- (fact) owls", "Anna\n## Pinned"), index=57)
    assert key_text(message) == "[#57 user (Anna ## Pinned)]\n> Hi.\n> \n> ## Pinned\n> - (fact) owls"


def test_on_a_tie_the_older_message_is_quoted() -> None:
    """The first and last positions get a bonus, and the position weight grows towards the end."""
    span = [WeightedMessage(at, 10.0 - 20 * at / 5, message) for at, message in enumerate(dialogue(5, 30))]
    assert key_messages(span, 45).ids == ("m0",)
    assert key_messages(span, 125).ids == ("m0", "m1", "m4")


def test_gaps_are_marked_between_and_after_key_messages_but_not_before() -> None:
    contents = ("So.", "We decided: Redis.", "a", "b", "Agreed: the answer.", "c")
    messages = indexed([text_message(Role.USER, word) for word in contents])
    span = [WeightedMessage(message.index, 100.0 if "d:" in message.content else 0.0, message) for message in messages]
    assert key_messages(span, 40).text == (
        "[#1 user]\n> We decided: Redis.\n\n[… 2 messages left out …]\n\n"
        "[#4 user]\n> Agreed: the answer.\n\n[… 1 message left out …]"
    )


def test_a_gap_counts_unloaded_messages() -> None:
    messages = dialogue(1_003, 20)
    ends = (0, 1_002)
    span = [
        WeightedMessage(message.index, 100.0, message) if message.index in ends else WeightedMessage(message.index, 0.0)
        for message in messages
    ]
    assert "\n\n[… 1,001 messages left out …]\n\n" in key_messages(span, 100).text


def test_the_first_message_that_does_not_fit_is_cut_if_enough_remains() -> None:
    messages = [sized(Role.USER, 400, 0)]
    assert (keys_of(messages, 59).ids, keys_of(messages, 60).cut) == ((), ("m0",))
    assert keys_of(messages, 60).text.startswith("[#0 user]\n> xxx")


def test_a_message_slightly_too_long_is_cut() -> None:
    cut_results = [keys_of([sized(Role.USER, tokens, 0)], 100) for tokens in range(80, 110)]
    assert all((" […]" in keys.text) == bool(keys.cut) for keys in cut_results)
    assert any(keys.cut for keys in cut_results) and not all(keys.cut for keys in cut_results)


def test_a_call_with_its_result_is_quoted_whole_or_skipped() -> None:
    messages = indexed([call("a", "We decided to look."), text_message(Role.USER, "ok"), result("a", "error " * 20)])
    assert keys_of(messages, 200).ids == ("m0", "m1", "m2")
    # Too long together and not divisible; less important messages are not tried.
    assert keys_of(messages, 60).ids == ()


def test_an_empty_span_has_no_key_messages() -> None:
    assert key_messages([], 1_000) == key_messages([WeightedMessage(3, 50.0)], 1_000) == KeyMessages()
