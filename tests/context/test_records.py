"""Epochs survive a round trip through their rows."""

from __future__ import annotations

import json

from hypothesis import given

from apps.context.records import epoch_from_json, epoch_to_json, pieces_from_json, pieces_to_json
from apps.engine.messages.message import Role
from apps.engine.pack.builder import build_pack
from apps.engine.pack.context_pack import PackSources
from apps.engine.pack.stable_prefix import pieces_of
from apps.engine.policy import Policy
from studies.engine.replay import Replay
from tests.engine.packs import budgets, packed, policies, sources_of_any_kind


@given(sources_of_any_kind, budgets, policies)
def test_an_epoch_survives_a_round_trip(sources: PackSources, budget: int, policy: Policy) -> None:
    pack = packed(sources, budget, policy)
    again = epoch_from_json(json.loads(json.dumps(epoch_to_json(pack.epoch))))
    assert again == pack.epoch
    going_on = build_pack(sources, budget, policy, again)
    assert (going_on.sections, going_on.recent, going_on.tokens) == (pack.sections, pack.recent, pack.tokens)


@given(sources_of_any_kind, budgets, policies)
def test_the_pieces_of_a_pack_survive_a_round_trip(sources: PackSources, budget: int, policy: Policy) -> None:
    pieces = pieces_of(packed(sources, budget, policy))
    assert pieces_from_json(json.loads(json.dumps(pieces_to_json(pieces)))) == pieces


def test_an_epoch_with_every_field_survives_a_round_trip() -> None:
    replay = Replay(Policy())
    for place in range(400):
        replay.add(Role.ASSISTANT if place % 2 else Role.USER, f"We decided {place}? " + "word " * 60)
    epoch = replay.pack(1_500).epoch
    assert epoch.earlier.keys.ids and epoch.earlier.segments and epoch.arc
    assert epoch_from_json(json.loads(json.dumps(epoch_to_json(epoch)))) == epoch
