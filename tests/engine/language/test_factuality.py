"""Facts weigh more than chit-chat."""

from __future__ import annotations

import pytest

from apps.engine.language.factuality import factuality, is_constraint

FACTS = [
    "I take 50 micrograms of levothyroxine at seven, before coffee.",
    "My sister Noor moved to Ghent in March.",
    "A gateway sends at most 340 reports per second.",
    "Never suggest that I go running.",
    "The retention is 45 days, I wrote 90 earlier.",
    "Passing --shadow writes the file only, in 3 seconds.",
]
CHIT_CHAT = [
    "It was lovely to sit there for a while.",
    "I think that would be wonderful, thank you.",
    "Sounds like a plan.",
]


@pytest.mark.parametrize("fact", FACTS)
@pytest.mark.parametrize("talk", CHIT_CHAT)
def test_a_fact_outweighs_chit_chat(fact: str, talk: str) -> None:
    assert factuality(fact) >= 0.75 > factuality(talk)


@pytest.mark.parametrize(
    "text", ["Never on a Friday.", "Do not touch vendor/.", "I am allergic to nuts.", "And no emoji."]
)
def test_limits_and_prohibitions_are_constraints(text: str) -> None:
    assert is_constraint(text)


@pytest.mark.parametrize("text", ["We deployed on Friday.", "I wrote the file.", "Nuts are fine."])
def test_other_statements_are_no_constraints(text: str) -> None:
    assert not is_constraint(text)
