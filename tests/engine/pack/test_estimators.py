"""Other ways to count: what they find in a pack, and packs that keep to a budget by them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.pack.estimators import (
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
from apps.engine.tokens.counting import ROLE_TOKENS, count_text

BYTES = Estimator("bytes", lambda text: len(text.encode()))
NOTHING = Estimator("nothing", lambda text: 0)
EVERY = [HEURISTIC, WORDS, BYTES, NOTHING, Estimator("letters", lambda text: sum(map(str.isalpha, text)))]
PROSE = "the quick brown fox jumps over the lazy dog and then it rests in the long green grass "
CODE = "def f(x):\n    return x if x else {}[0]\n"
CHINESE = "我们决定使用这个数据库因为它很快"


@dataclass(frozen=True)
class Toy:
    tokens: Mapping[str, int]
    parts: Mapping[str, tuple[str, ...]]
    roles: Mapping[str, int]


@dataclass(frozen=True)
class Said:
    """A conversation: what must stand in its packs, and what was said before, oldest first."""

    system: str = ""
    current: str = ""
    before: Sequence[str] = ()

    def build(self, budget: int) -> Toy:
        """The newest messages that fit; of one that does not the beginning."""
        fixed = {"system": count_text(self.system), "current_message": ROLE_TOKENS + count_text(self.current)}
        left = budget - sum(fixed.values())
        if left < 0:
            raise BudgetExceeded(budget, fixed)
        shown: list[str] = []
        for text in reversed(self.before):
            newest_fitting = text[: 4 * max(0, left - ROLE_TOKENS)]
            if not newest_fitting:
                break
            shown.insert(0, newest_fitting)
            left -= ROLE_TOKENS + count_text(newest_fitting)
        recent = sum(map(count_text, shown)) + ROLE_TOKENS * len(shown)
        return Toy(
            {"system": fixed["system"], "recent_messages": recent, "current_message": fixed["current_message"]},
            {"system": (self.system,), "recent_messages": tuple(shown), "current_message": (self.current,)},
            {"recent_messages": len(shown), "current_message": 1},
        )


class Builds:
    """Counts them, and the most that was asked for."""

    def __init__(self, build: Callable[[int], Toy]) -> None:
        self._build = build
        self.asked: list[int] = []

    def __call__(self, budget: int) -> Toy:
        self.asked.append(budget)
        return self._build(budget)


def total(tokens: Mapping[str, int]) -> int:
    return sum(tokens.values())


texts = st.text(max_size=60) | st.sampled_from([PROSE, CODE, CHINESE, "🦊" * 20, " " * 30, "x" * 200, "a b c " * 20])
conversations = st.builds(Said, system=texts, current=texts, before=st.lists(texts, max_size=30))
estimators = st.builds(
    lambda estimator, percent: replace(estimator, percent=percent),
    st.sampled_from(EVERY),
    st.just(100) | st.integers(10, 60).map(lambda steps: steps * 5),
)


# Counting.


@given(texts, st.sampled_from(EVERY), st.integers(50, 300))
def test_a_calibration_is_exact_and_rounded_up(text: str, estimator: Estimator, percent: int) -> None:
    tokens, count = replace(estimator, percent=percent).tokens(text), estimator.count(text)
    assert 100 * (tokens - 1) < count * percent <= 100 * tokens


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), (" \n\t ", 0), ("one", 2), ("one two three", 4), ("a  b\nc d", 6), (CHINESE, 2)]
)
def test_three_quarters_of_a_word_are_a_token(text: str, tokens: int) -> None:
    assert count_words(text) == WORDS.tokens(text) == tokens


def test_a_role_costs_the_same_by_every_estimator() -> None:
    pack = Said(current=CHINESE, before=["one two three"] * 3).build(1_000)
    for estimator in EVERY[1:]:
        counted = recount(pack, estimator)
        assert counted["recent_messages"] == 3 * (estimator.count("one two three") + ROLE_TOKENS)
        assert counted["current_message"] == estimator.count(CHINESE) + ROLE_TOKENS


def test_a_calibration_holds_for_a_part_as_a_whole_with_its_roles() -> None:
    pack = Said(before=["abc"] * 10).build(1_000)
    assert recount(pack, replace(HEURISTIC, percent=110))["recent_messages"] == 55


def test_the_stored_count_equals_the_pack_s_own_tokens() -> None:
    pack = Toy({"system": 7}, {"system": ("four", "texts", "and", "separators")}, {})
    assert recount(pack, HEURISTIC) == recount(pack, replace(HEURISTIC, fallback_from="bytes")) == {"system": 7}


def test_a_number_names_its_estimator() -> None:
    fallen = replace(HEURISTIC, percent=115, calls=12, fallback_from="cl100k_base")
    assert estimator_state(fallen) == EstimatorState("characters/4", 1.15, "cl100k_base", 12)


# Keeping to a budget.


@given(conversations, estimators, st.integers(0, 800))
def test_a_pack_never_exceeds_its_budget_by_any_estimator(said: Said, estimator: Estimator, budget: int) -> None:
    builds = Builds(said.build)
    try:
        pack, tokens = build_within(budget, estimator, builds)
    except BudgetExceeded as refusal:
        assert refusal.budget == budget < refusal.smallest == sum(refusal.parts.values())
        with_enough, _ = build_within(refusal.smallest, estimator, said.build)
        assert (with_enough.parts["system"], with_enough.parts["current_message"]) == ((said.system,), (said.current,))
        with pytest.raises(BudgetExceeded):
            build_within(refusal.smallest - 1, estimator, said.build)
    else:
        assert tokens == recount(pack, estimator)
        assert total(tokens) <= budget
        assert (pack, tokens) == build_within(budget, estimator, said.build)
    assert len(builds.asked) <= 8


@given(conversations, estimators, st.integers(0, 800))
def test_no_pack_is_built_for_more_than_a_bounded_budget(said: Said, estimator: Estimator, budget: int) -> None:
    builds = Builds(said.build)
    least = 1
    try:
        said.build(-1)
    except BudgetExceeded as refusal:
        least = refusal.smallest
    with suppress(BudgetExceeded):
        build_within(budget, estimator, builds)
    assert max(builds.asked) <= max(MAX_BUDGET_FACTOR * budget, least)


@given(conversations, st.integers(0, 800))
def test_the_stored_count_builds_once(said: Said, budget: int) -> None:
    builds = Builds(said.build)
    try:
        pack, tokens = build_within(budget, HEURISTIC, builds)
    except BudgetExceeded:
        pass
    else:
        assert (pack, tokens) == (said.build(budget), pack.tokens)
    assert builds.asked == [budget]


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


# By words a text without blanks is next to nothing, and a pack is stretched only so far.
BY_ESTIMATOR = [
    (talk, estimator)
    for talk in LONG
    for estimator in (DENSE, WORDS, replace(WORDS, percent=130), replace(HEURISTIC, percent=85))
    if "chinese" not in talk or estimator.count is not count_words
]


@pytest.mark.parametrize("budget", [1_000, 4_000, 12_000])
@pytest.mark.parametrize(("talk", "estimator"), BY_ESTIMATOR)
def test_a_pack_that_the_budget_limits_fills_it(talk: str, estimator: Estimator, budget: int) -> None:
    builds = Builds(Said("Be brief.", "What now?", LONG[talk]).build)
    _, tokens = build_within(budget, estimator, builds)
    assert 0.95 * budget <= total(tokens) <= budget
    assert len(builds.asked) <= 4


def test_an_expensive_current_message_leaves_the_remaining_tokens_to_the_rest() -> None:
    builds = Builds(Said("", CHINESE * 80, [PROSE] * 600).build)
    _, tokens = build_within(8_000, BYTES, builds)
    assert 7_600 <= total(tokens) <= 8_000
    assert len(builds.asked) <= 4


@pytest.mark.parametrize("estimator", [WORDS, DENSE, replace(HEURISTIC, percent=120)])
def test_a_conversation_far_below_the_budget_is_built_once(estimator: Estimator) -> None:
    builds = Builds(Said("Be brief.", "What now?", [PROSE] * 20).build)
    build_within(12_000, estimator, builds)
    assert len(builds.asked) == 1


def test_a_budget_error_counts_its_parts_by_the_estimator() -> None:
    said = Said("Be brief.", CHINESE, [PROSE] * 3)
    with pytest.raises(BudgetExceeded) as refused:
        build_within(40, BYTES, said.build)
    assert refused.value.parts == {"system": 9, "current_message": len(CHINESE.encode()) + ROLE_TOKENS}
