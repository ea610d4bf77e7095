"""How much of a pack a model has seen before."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.messages.message import Part, PartKind, Role
from apps.engine.pack.context_pack import PackSources
from apps.engine.pack.recent_window import OPENING_TOKENS
from apps.engine.pack.stable_prefix import Piece, pieces_of, stability
from apps.engine.policy import Policy
from apps.engine.summary.rendering import Pin
from tests.engine.conversations import sized, talk
from tests.engine.packs import NOTHING, budgets, of, packed, policies, sources_of_any_kind

pieces = st.lists(st.builds(Piece, st.sampled_from("abc"), st.integers(0, 50)), max_size=8)


@given(sources_of_any_kind, budgets, policies)
def test_the_pieces_of_a_pack_are_all_that_is_sent_but_the_opening(
    sources: PackSources, budget: int, policy: Policy
) -> None:
    pack = packed(sources, budget, policy)
    found = pieces_of(pack)
    opening = OPENING_TOKENS if pack.recent else 0
    role = 4 if any(pack.sections.values()) and not pack.system_prompt else 0
    assert sum(piece.tokens for piece in found) == pack.total_tokens - opening - role
    assert stability(found, found).same == sum(piece.tokens for piece in found)


@given(pieces, pieces, pieces)
def test_stability_counts_only_the_common_prefix(shared: list[Piece], one: list[Piece], other: list[Piece]) -> None:
    found = stability([*shared, *one], [*shared, *other])
    assert found.previous == sum(piece.tokens for piece in [*shared, *one])
    assert sum(piece.tokens for piece in shared) <= found.same <= found.previous
    assert 0 <= found.share <= 1
    if one and other and one[0] != other[0]:
        assert found.same == sum(piece.tokens for piece in shared)


def test_a_message_more_leaves_all_before_it_as_it_was() -> None:
    before, now = (pieces_of(of(talk(count, 100), 12_000)) for count in (9, 11))
    assert stability(before, now).share == 1.0


def test_another_pin_changes_all_that_follows() -> None:
    said = replace(NOTHING, system_prompt="x" * 390, newest=talk(9, 100))
    one, other = (
        pieces_of(packed(replace(said, pins=(Pin("p", "decision", text),)), 12_000)) for text in ("Redis", "MySQL")
    )
    found = stability(one, other)
    # 98 of the system prompt, with what separates it from the next section, and 4 of the role.
    assert found.same == 102
    assert found.previous > 900


def test_the_same_words_of_another_speaker_are_not_the_same() -> None:
    one, other = ([sized(role, 50, 0), sized(Role.USER, 50, 1)] for role in (Role.USER, Role.ASSISTANT))
    assert stability(pieces_of(of(one, 1_000)), pieces_of(of(other, 1_000))).same == 0


def test_reasoning_is_not_sent_and_changes_nothing() -> None:
    said = talk(3, 50)
    thought = replace(said[1], parts=(Part(PartKind.REASONING, "Hm."),))
    assert pieces_of(of(said, 1_000)) == pieces_of(of([said[0], thought, said[2]], 1_000))


def test_without_a_previous_pack_stability_is_complete() -> None:
    assert stability((), pieces_of(of(talk(3, 50), 1_000))).share == 1.0
