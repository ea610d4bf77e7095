"""The share of a pack that repeats the previous pack."""

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
from tests.engine.conversations import dialogue, sized
from tests.engine.packs import EMPTY_SOURCES, budgets, pack_for, packed, policies, sources_of_any_kind

pieces = st.lists(st.builds(Piece, st.sampled_from("abc"), st.integers(0, 50)), max_size=8)


@given(sources_of_any_kind, budgets, policies)
def test_the_pieces_of_a_pack_cover_everything_but_the_opening(
    sources: PackSources, budget: int, policy: Policy
) -> None:
    pack = packed(sources, budget, policy)
    result = pieces_of(pack)
    opening = OPENING_TOKENS if pack.recent else 0
    role = 4 if any(pack.sections.values()) and not pack.system_prompt else 0
    assert sum(piece.tokens for piece in result) == pack.total_tokens - opening - role
    assert stability(result, result).same == sum(piece.tokens for piece in result)


@given(pieces, pieces, pieces)
def test_stability_counts_only_the_common_prefix(shared: list[Piece], first: list[Piece], second: list[Piece]) -> None:
    result = stability([*shared, *first], [*shared, *second])
    assert result.previous == sum(piece.tokens for piece in [*shared, *first])
    assert sum(piece.tokens for piece in shared) <= result.same <= result.previous
    assert 0 <= result.share <= 1
    if first and second and first[0] != second[0]:
        assert result.same == sum(piece.tokens for piece in shared)


def test_new_messages_do_not_change_earlier_pieces() -> None:
    before, now = (pieces_of(pack_for(dialogue(count, 100), 12_000)) for count in (9, 11))
    assert stability(before, now).share == 1.0


def test_a_different_pin_changes_everything_after_it() -> None:
    sources = replace(EMPTY_SOURCES, system_prompt="x" * 390, newest=dialogue(9, 100))
    first, second = (
        pieces_of(packed(replace(sources, pins=(Pin("p", "decision", text),)), 12_000)) for text in ("Redis", "MySQL")
    )
    result = stability(first, second)
    # 98 tokens of the system prompt with its separator, and 4 of the role.
    assert result.same == 102
    assert result.previous > 900


def test_the_same_text_by_another_role_is_a_different_piece() -> None:
    first, second = ([sized(role, 50, 0), sized(Role.USER, 50, 1)] for role in (Role.USER, Role.ASSISTANT))
    assert stability(pieces_of(pack_for(first, 1_000)), pieces_of(pack_for(second, 1_000))).same == 0


def test_reasoning_is_not_sent_and_changes_nothing() -> None:
    messages = dialogue(3, 50)
    with_reasoning = replace(messages[1], parts=(Part(PartKind.REASONING, "Hm."),))
    assert pieces_of(pack_for(messages, 1_000)) == pieces_of(
        pack_for([messages[0], with_reasoning, messages[2]], 1_000)
    )


def test_without_a_previous_pack_stability_is_complete() -> None:
    assert stability((), pieces_of(pack_for(dialogue(3, 50), 1_000))).share == 1.0
