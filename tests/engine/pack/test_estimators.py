"""Alternative token estimators, and packs that fit a budget as counted by them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.pack.estimators import (
    CHARACTERS,
    HEURISTIC,
    MAX_BUDGET_FACTOR,
    WORDS,
    Estimator,
    EstimatorState,
    build_within,
    count_words,
    estimator_state,
    recount,
)
from apps.engine.pack.negotiation import BudgetExceeded
from apps.engine.tokens.counting import ROLE_TOKENS
from apps.engine.tokens.estimate import TOKEN_SIZE, characters_within, estimate_text

BYTES = Estimator("bytes", lambda text: len(text.encode()))
NOTHING = Estimator("nothing", lambda text: 0)
ESTIMATORS = [
    HEURISTIC,
    CHARACTERS,
    WORDS,
    BYTES,
    NOTHING,
    Estimator("letters", lambda text: sum(map(str.isalpha, text))),
]
PROSE = "the quick brown fox jumps over the lazy dog and then it rests in the long green grass "
CODE = "def f(x):\n    return x if x else {}[0]\n"
CHINESE = "我们决定使用这个数据库因为它很快"


@dataclass(frozen=True)
class ToyPack:
    tokens: Mapping[str, int]
    parts: Mapping[str, tuple[str, ...]]
    roles: Mapping[str, int]
    media: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class ToyConversation:
    """A conversation: the mandatory parts of its packs and the earlier messages, oldest first."""

    system: str = ""
    current: str = ""
    before: Sequence[str] = ()

    def build(self, budget: int) -> ToyPack:
        """Build a pack from the newest messages that fit, with the start of the first that does not."""
        fixed = {"system": estimate_text(self.system), "current_message": ROLE_TOKENS + estimate_text(self.current)}
        left = budget - sum(fixed.values())
        if left < 0:
            raise BudgetExceeded(budget, fixed)
        shown: list[str] = []
        for text in reversed(self.before):
            shown_text = text[: characters_within(text, TOKEN_SIZE * (left - ROLE_TOKENS))]
            if not shown_text:
                break
            shown.insert(0, shown_text)
            left -= ROLE_TOKENS + estimate_text(shown_text)
        recent = sum(map(estimate_text, shown)) + ROLE_TOKENS * len(shown)
        return ToyPack(
            {"system": fixed["system"], "recent_messages": recent, "current_message": fixed["current_message"]},
            {"system": (self.system,), "recent_messages": tuple(shown), "current_message": (self.current,)},
            {"recent_messages": len(shown), "current_message": 1},
        )


class RecordingBuilder:
    """A builder that records the budgets it was called with."""

    def __init__(self, build: Callable[[int], ToyPack]) -> None:
        self._build = build
        self.budgets: list[int] = []

    def __call__(self, budget: int) -> ToyPack:
        self.budgets.append(budget)
        return self._build(budget)


def total(tokens: Mapping[str, int]) -> int:
    return sum(tokens.values())


texts = st.text(max_size=60) | st.sampled_from([PROSE, CODE, CHINESE, "🦊" * 20, " " * 30, "x" * 200, "a b c " * 20])
conversations = st.builds(ToyConversation, system=texts, current=texts, before=st.lists(texts, max_size=30))
estimators = st.builds(
    lambda estimator, percent: replace(estimator, percent=percent),
    st.sampled_from(ESTIMATORS),
    st.just(100) | st.integers(10, 60).map(lambda steps: steps * 5),
)


# Counting.


@given(texts, st.sampled_from(ESTIMATORS), st.integers(50, 300))
def test_a_calibration_is_exact_and_rounded_up(text: str, estimator: Estimator, percent: int) -> None:
    tokens, count = replace(estimator, percent=percent).tokens(text), estimator.count(text)
    assert 100 * (tokens - 1) < count * percent <= 100 * tokens


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), (" \n\t ", 0), ("one", 2), ("one two three", 4), ("a  b\nc d", 6), (CHINESE, 2)]
)
def test_three_quarters_of_a_word_are_a_token(text: str, tokens: int) -> None:
    assert count_words(text) == WORDS.tokens(text) == tokens


def test_a_role_costs_the_same_by_every_estimator() -> None:
    pack = ToyConversation(current=CHINESE, before=["one two three"] * 3).build(1_000)
    for estimator in ESTIMATORS[1:]:
        counted = recount(pack, estimator)
        assert counted["recent_messages"] == 3 * (estimator.count("one two three") + ROLE_TOKENS)
        assert counted["current_message"] == estimator.count(CHINESE) + ROLE_TOKENS


def test_a_calibration_applies_to_a_whole_part_including_its_roles() -> None:
    pack = ToyConversation(before=["abc"] * 10).build(1_000)
    assert recount(pack, replace(HEURISTIC, percent=110))["recent_messages"] == 55


def test_an_image_costs_the_same_by_every_estimator() -> None:
    pack = ToyPack({"current_message": 1_010}, {"current_message": ("one two three",)}, {}, {"current_message": 1_000})
    assert recount(pack, WORDS) == {"current_message": 1_004}
    assert recount(pack, replace(CHARACTERS, percent=200)) == {"current_message": 1_008}


def test_the_default_estimate_equals_the_pack_s_own_tokens() -> None:
    pack = ToyPack({"system": 7}, {"system": ("four", "texts", "and", "separators")}, {})
    assert recount(pack, HEURISTIC) == recount(pack, replace(HEURISTIC, fallback_from="bytes")) == {"system": 7}


def test_a_number_names_its_estimator() -> None:
    fallback = replace(HEURISTIC, percent=115, calls=12, fallback_from="cl100k_base")
    assert estimator_state(fallback) == EstimatorState("characters by script", 1.15, "cl100k_base", 12)


# Packs within a budget.


@given(conversations, estimators, st.integers(0, 800))
def test_a_pack_never_exceeds_its_budget_by_any_estimator(
    conversation: ToyConversation, estimator: Estimator, budget: int
) -> None:
    builder = RecordingBuilder(conversation.build)
    try:
        pack, tokens = build_within(budget, estimator, builder)
    except BudgetExceeded as error:
        assert error.budget == budget < error.smallest == sum(error.parts.values())
        smallest_pack, _ = build_within(error.smallest, estimator, conversation.build)
        assert (smallest_pack.parts["system"], smallest_pack.parts["current_message"]) == (
            (conversation.system,),
            (conversation.current,),
        )
        with pytest.raises(BudgetExceeded):
            build_within(error.smallest - 1, estimator, conversation.build)
    else:
        assert tokens == recount(pack, estimator)
        assert total(tokens) <= budget
        assert (pack, tokens) == build_within(budget, estimator, conversation.build)
    assert len(builder.budgets) <= 8


@given(conversations, estimators, st.integers(0, 800))
def test_no_pack_is_built_for_more_than_a_bounded_budget(
    conversation: ToyConversation, estimator: Estimator, budget: int
) -> None:
    builder = RecordingBuilder(conversation.build)
    smallest = 1
    try:
        conversation.build(-1)
    except BudgetExceeded as error:
        smallest = error.smallest
    with suppress(BudgetExceeded):
        build_within(budget, estimator, builder)
    assert max(builder.budgets) <= max(MAX_BUDGET_FACTOR * budget, smallest)


@given(conversations, st.integers(0, 800))
def test_the_default_estimate_builds_once(conversation: ToyConversation, budget: int) -> None:
    builder = RecordingBuilder(conversation.build)
    try:
        pack, tokens = build_within(budget, HEURISTIC, builder)
    except BudgetExceeded:
        pass
    else:
        assert (pack, tokens) == (conversation.build(budget), pack.tokens)
    assert builder.budgets == [budget]


def mixed(length: int) -> list[str]:
    return [
        (PROSE, CODE * 3, CHINESE * 4, "https://example.org/a/very/long/path?with=parameters ")[n % 4] * 2
        for n in range(length)
    ]


LONG = {
    "prose": [PROSE * 3] * 600,
    "code": [CODE * 6] * 600,
    "chinese": [CHINESE * 8] * 600,
    "mixed": mixed(1_200),
    "chinese before prose": [CHINESE * 8] * 300 + [PROSE * 3] * 60,
    "prose before chinese": [PROSE * 3] * 300 + [CHINESE * 8] * 60,
    "short": ["yes", "no, why"] * 4_000,
    "one long message": [PROSE * 2_000],
}
DENSE = Estimator("dense", lambda text: sum(3 if letter > "\x7f" else 1 for letter in text) // 3)


# A word count sees almost no tokens in a text without spaces, and the budget factor is limited.
BY_ESTIMATOR = [
    (name, estimator)
    for name in LONG
    for estimator in (DENSE, WORDS, replace(WORDS, percent=130), replace(HEURISTIC, percent=85))
    if "chinese" not in name or estimator.count is not count_words
]


@pytest.mark.parametrize("budget", [1_000, 4_000, 12_000])
@pytest.mark.parametrize(("name", "estimator"), BY_ESTIMATOR)
def test_a_pack_that_the_budget_limits_fills_it(name: str, estimator: Estimator, budget: int) -> None:
    builder = RecordingBuilder(ToyConversation("Be brief.", "What now?", LONG[name]).build)
    _, tokens = build_within(budget, estimator, builder)
    assert 0.95 * budget <= total(tokens) <= budget
    assert len(builder.budgets) <= 4


def test_an_expensive_current_message_leaves_the_remaining_tokens_to_the_rest() -> None:
    builder = RecordingBuilder(ToyConversation("", CHINESE * 80, [PROSE] * 600).build)
    _, tokens = build_within(8_000, BYTES, builder)
    assert 7_600 <= total(tokens) <= 8_000
    assert len(builder.budgets) <= 4


@pytest.mark.parametrize("estimator", [WORDS, DENSE, replace(HEURISTIC, percent=120)])
def test_a_conversation_far_below_the_budget_is_built_once(estimator: Estimator) -> None:
    builder = RecordingBuilder(ToyConversation("Be brief.", "What now?", [PROSE] * 20).build)
    build_within(12_000, estimator, builder)
    assert len(builder.budgets) == 1


def test_a_budget_error_counts_its_parts_by_the_estimator() -> None:
    conversation = ToyConversation("Be brief.", CHINESE, [PROSE] * 3)
    with pytest.raises(BudgetExceeded) as refused:
        build_within(40, BYTES, conversation.build)
    assert refused.value.parts == {"system": 9, "current_message": len(CHINESE.encode()) + ROLE_TOKENS}
