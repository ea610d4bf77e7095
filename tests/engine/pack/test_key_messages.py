"""The messages that stand for a stretch of talk."""

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
from apps.engine.tokens.counting import count_text
from tests.engine.conversations import call, conversations, placed, result, says, sized, talk
from tests.engine.packs import plain_talk

_GAP = re.compile(r"\[… ([\d,]+) messages? left out …\]")


def weigh(messages: list[Message]) -> list[WeightedMessage]:
    return [WeightedMessage(one.index, importance(display_text(one), one.role), one) for one in messages]


def found(messages: list[Message], room: int) -> KeyMessages:
    return key_messages(weigh(messages), room)


@st.composite
def stretches(draw: st.DrawFn) -> list[WeightedMessage]:
    """Odd messages and plain ones with words of decision, code and questions, some of them not read."""
    dice = Random(draw(st.integers(0, 100_000)))
    plain = plain_talk(dice, draw(st.integers(0, 40)), dice.choice([2, 30]))
    span = weigh(placed([*plain, *draw(conversations)]))
    return [one if dice.random() < 0.85 else replace(one, message=None) for one in span]


@given(stretches(), st.integers(-20, 300) | st.integers(0, 4_000))
def test_key_messages_stay_within_their_budget(span: list[WeightedMessage], room: int) -> None:
    keys = key_messages(span, room)
    assert count_text(keys.text + BETWEEN_SECTIONS) <= room if keys.text else not keys.ids
    assert keys == key_messages(span, room)


@given(stretches(), st.integers(0, 4_000))
def test_key_messages_are_in_order_with_every_gap_counted(span: list[WeightedMessage], room: int) -> None:
    keys = key_messages(span, room)
    places = [at for at, one in enumerate(span) if one.message and one.message.id in keys.ids]
    assert keys.ids == tuple(one.message.id for at in places if (one := span[at]).message)
    skipped = [later - earlier - 1 for earlier, later in pairwise([*places, len(span)])]
    rest = keys.text
    for at, gap in zip(places, skipped, strict=True):
        message = span[at].message
        assert message
        paragraph = key_text(message)
        if message.id in keys.cut:
            paragraph = rest[: rest.index(" […]") + len(" […]")] if " […]" in rest else rest
            assert key_text(message).startswith(paragraph.removesuffix(" […]"))
        assert rest.startswith(paragraph)
        rest = rest[len(paragraph) :].removeprefix(BETWEEN_SECTIONS)
        if gap:
            mark = _GAP.match(rest)
            assert mark and int(mark[1].replace(",", "")) == gap
            rest = rest[mark.end() :].removeprefix(BETWEEN_SECTIONS)
    assert rest == ""


@given(stretches(), st.integers(0, 4_000))
def test_a_call_is_never_separated_from_its_result(span: list[WeightedMessage], room: int) -> None:
    keys = key_messages(span, room)
    chosen = [one.message for one in span if one.message and one.message.id in keys.ids]
    assert {name for one in chosen for name in one.calls} == {name for one in chosen for name in one.results}


@given(stretches(), st.integers(0, 4_000))
def test_one_is_cut_at_most_and_never_inside_a_code_fence(span: list[WeightedMessage], room: int) -> None:
    keys = key_messages(span, room)
    assert len(keys.cut) <= 1 and set(keys.cut) <= set(keys.ids)
    for one in span:
        if one.message and one.message.id in keys.cut:
            # What stands whole may have an open fence of its own.
            whole = sum(
                key_text(it.message).count(FENCE)
                for it in span
                if it.message and it.message.id in keys.ids and it is not one
            )
            assert (keys.text.count(FENCE) - whole) % 2 == 0


@given(st.integers(0, 100_000), st.integers(1, 40), st.integers(0, 2_000))
def test_no_omitted_message_outweighs_a_quoted_one(seed: int, count: int, room: int) -> None:
    said = placed(plain_talk(Random(seed), count, 20))
    keys = found(said, room)
    weights = {
        one.id: importance(display_text(one), one.role) + importance_of_place(at, count) for at, one in enumerate(said)
    }
    chosen = [weights[name] for name in keys.ids]
    assert all(weight <= min(chosen) for name, weight in weights.items() if chosen and name not in keys.ids)


@given(stretches(), st.integers(0, 4_000))
def test_any_message_text_is_quoted_under_its_header(span: list[WeightedMessage], room: int) -> None:
    for line in key_messages(span, room).text.splitlines():
        assert line.startswith("> ") or re.match(r"\[#\d+ |\[… [\d,]+ messages? left out …\]$|$", line)


def test_a_key_message_is_named_in_one_line_and_quoted_line_by_line() -> None:
    said = replace(says(Role.USER, "Hi.\n\r\n## Pinned\u2028- (fact) owls", "Anna\n## Pinned"), index=57)
    assert key_text(said) == "[#57 user (Anna ## Pinned)]\n> Hi.\n> \n> ## Pinned\n> - (fact) owls"


def test_on_a_tie_the_older_message_is_quoted() -> None:
    """The first and the last weigh more by their place; the others grow heavier towards the end."""
    span = [WeightedMessage(at, 10.0 - 20 * at / 5, one) for at, one in enumerate(talk(5, 30))]
    assert key_messages(span, 45).ids == ("m0",)
    assert key_messages(span, 125).ids == ("m0", "m1", "m4")


def test_gaps_are_marked_between_them_and_behind_the_last_but_not_before_the_first() -> None:
    words = ("So.", "We decided: Redis.", "a", "b", "Agreed: the answer.", "c")
    said = placed([says(Role.USER, word) for word in words])
    span = [WeightedMessage(one.index, 100.0 if "d:" in one.content else 0.0, one) for one in said]
    assert key_messages(span, 40).text == (
        "[#1 user]\n> We decided: Redis.\n\n[… 2 messages left out …]\n\n"
        "[#4 user]\n> Agreed: the answer.\n\n[… 1 message left out …]"
    )


def test_a_gap_counts_unloaded_messages() -> None:
    said = talk(1_003, 20)
    ends = (0, 1_002)
    span = [
        WeightedMessage(one.index, 100.0, one) if one.index in ends else WeightedMessage(one.index, 0.0) for one in said
    ]
    assert "\n\n[… 1,001 messages left out …]\n\n" in key_messages(span, 100).text


def test_the_first_that_does_not_fit_is_cut_where_enough_of_it_is_left() -> None:
    said = [sized(Role.USER, 400, 0)]
    assert (found(said, 59).ids, found(said, 60).cut) == ((), ("m0",))
    assert found(said, 60).text.startswith("[#0 user]\n> xxx")


def test_one_that_just_does_not_fit_is_really_cut() -> None:
    cut = [found([sized(Role.USER, tokens, 0)], 100) for tokens in range(80, 110)]
    assert all((" […]" in keys.text) == bool(keys.cut) for keys in cut)
    assert any(keys.cut for keys in cut) and not all(keys.cut for keys in cut)


def test_a_call_with_its_result_is_quoted_whole_or_skipped() -> None:
    said = placed([call("a", "We decided to look."), says(Role.USER, "ok"), result("a", "error " * 20)])
    assert found(said, 200).ids == ("m0", "m1", "m2")
    # Too long together, and nothing that could be cut: what is lighter is not tried.
    assert found(said, 60).ids == ()


def test_an_empty_span_has_no_key_messages() -> None:
    assert key_messages([], 1_000) == key_messages([WeightedMessage(3, 50.0)], 1_000) == KeyMessages()
