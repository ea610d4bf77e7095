"""Trust: the lowest of a lineage in every rewrite, raised only by a person."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.memory.trust import (
    Arrival,
    Mode,
    Source,
    Trust,
    arrives,
    is_inferred,
    is_low,
    lowest,
    may_merge,
    node_trust,
    trust_of,
)

trusts = st.sampled_from(Trust)
lineages = st.lists(trusts, min_size=1)
FOREIGN_SOURCES = [Source.ASSISTANT, Source.TOOL, Source.FILE, Source.OTHER_MEMBER, Source.OTHER_STORE]


@given(lineages)
def test_the_lowest_trust_may_be_merged_from_any_of_the_lineage(lineage: list[Trust]) -> None:
    assert lowest(lineage) in lineage
    assert all(may_merge(trust, lowest(lineage)) for trust in lineage)


@given(lineages, lineages)
def test_the_lowest_trust_does_not_depend_on_the_order_of_rewrites(first: list[Trust], second: list[Trust]) -> None:
    assert lowest([lowest(first), lowest(second)]) is lowest(second + first)


@given(trusts, trusts)
def test_an_allowed_merge_never_lowers_the_target(source: Trust, target: Trust) -> None:
    assert may_merge(source, target) == (lowest([source, target]) is target)


def test_the_order_of_trust_levels() -> None:
    assert [[may_merge(source, target) for target in Trust] for source in Trust] == [
        [True, True, True, True],
        [False, True, True, True],
        [False, False, True, True],
        [False, False, False, True],
    ]


def test_without_a_lineage_there_is_no_trust() -> None:
    with pytest.raises(ValueError):
        lowest([])


@given(lineages)
def test_an_approval_raises_trust_and_undoing_it_lowers_it_again(lineage: list[Trust]) -> None:
    before = node_trust(lineage, approved=False)
    assert node_trust(lineage, approved=True) is Trust.DIRECT_USER
    assert node_trust(lineage, approved=False) is before is lowest(lineage)


@pytest.mark.parametrize("source", FOREIGN_SOURCES)
@pytest.mark.parametrize("mode", Mode)
def test_content_from_others_needs_approval_in_every_mode(source: Source, mode: Mode) -> None:
    assert arrives(source, mode) is Arrival.PROPOSED
    assert is_low(trust_of(source))


@pytest.mark.parametrize(
    ("source", "mode", "confident", "arrival"),
    [
        (Source.QUOTED, Mode.TRUSTED, True, Arrival.ACCEPTED),
        (Source.INFERRED, Mode.TRUSTED, True, Arrival.ACCEPTED),
        (Source.INFERRED, Mode.TRUSTED, False, Arrival.ACCEPTED),
        (Source.OWN_STORE, Mode.TRUSTED, True, Arrival.ACCEPTED),
        (Source.QUOTED, Mode.CONFIDENT, True, Arrival.ACCEPTED),
        (Source.INFERRED, Mode.CONFIDENT, True, Arrival.ACCEPTED),
        (Source.INFERRED, Mode.CONFIDENT, False, Arrival.PROPOSED),
        (Source.OWN_STORE, Mode.CONFIDENT, False, Arrival.PROPOSED),
        (Source.QUOTED, Mode.NOTHING, True, Arrival.PROPOSED),
        (Source.INFERRED, Mode.NOTHING, True, Arrival.PROPOSED),
        (Source.OWN_STORE, Mode.NOTHING, True, Arrival.PROPOSED),
    ],
)
def test_content_from_the_user_follows_the_workspace_mode(
    source: Source, mode: Mode, confident: bool, arrival: Arrival
) -> None:
    assert arrives(source, mode, confident=confident) is arrival


@pytest.mark.parametrize("mode", Mode)
def test_content_added_by_a_person_never_needs_approval(mode: Mode) -> None:
    assert arrives(Source.WRITTEN, mode, confident=False) is Arrival.ACCEPTED


@given(st.sampled_from(Source), st.booleans())
def test_a_stricter_mode_never_accepts_more(source: Source, confident: bool) -> None:
    proposed = [arrives(source, mode, confident=confident) is Arrival.PROPOSED for mode in Mode]
    assert proposed == sorted(proposed)


def test_an_inference_from_the_user_s_messages_is_marked() -> None:
    assert [source for source in Source if is_inferred(trust_of(source))] == [Source.INFERRED, Source.OWN_STORE]
