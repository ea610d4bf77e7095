"""Cache epochs: what they preserve, what ends them, and whose they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.accounts.services.context_settings import ContextSettingsChange, context_settings_update
from apps.common.tenancy import workspace
from apps.compaction.services.undo import compaction_undo
from apps.context.models import PackEpoch
from apps.context.records import EpochReason
from apps.conversations.services.conversations import ConversationChange, conversation_update
from apps.engine.pack.layers import Layer
from apps.engine.pack.provider_formats import render_plain
from apps.engine.pack.stable_prefix import pieces_of
from apps.engine.policy import Policy
from apps.llm import tokenizers
from apps.llm.tokenizers import VOCABULARIES
from apps.memory.services.pins import PinDraft, pin_create
from apps.memory.services.user_memory import UserMemoryDraft, user_memory_create
from tests.api.callers import Caller, at_once
from tests.compaction.runs import compact, runs_of
from tests.compaction.segments import set_excluded
from tests.context.epochs import BUDGET, epoch_of, pack_of, rows, turn
from tests.conversations.long_conversations import long_talk, row_of, say
from tests.llm.test_tokenizers import FILE, fits
from tests.providers.environment import set_provider_variables

pytestmark = pytest.mark.django_db


@pytest.fixture
def conversation_id(alice: Actor) -> UUID:
    return long_talk(alice, messages=60, tokens=110)


# Kept.


def test_an_epoch_lasts_over_turns_with_every_section_byte_for_byte(alice: Actor, conversation_id: UUID) -> None:
    first = pack_of(alice, conversation_id)
    assert (epoch_of(first).number, epoch_of(first).reasons, epoch_of(first).is_new) == (1, (), True)
    assert first.pack.sections["earlier"] and first.stability is None
    for _ in range(5):
        turn(alice, conversation_id)
        kept = pack_of(alice, conversation_id)
        assert epoch_of(kept) == replace(epoch_of(first), is_new=False)
        assert kept.pack.sections == first.pack.sections
        assert kept.pack.recent[: len(first.pack.recent)] == first.pack.recent
    assert len(kept.pack.recent) == len(first.pack.recent) + 10


def test_a_current_message_changes_nothing_before_it(alice: Actor, conversation_id: UUID) -> None:
    first = pack_of(alice, conversation_id)
    (said,) = say(alice, conversation_id, "Which one, then?")
    waiting = pack_of(alice, conversation_id)
    assert not epoch_of(waiting).is_new and waiting.pack.current is not None
    assert waiting.pack.current.id == str(said.id)
    assert (waiting.pack.sections, waiting.pack.recent) == (first.pack.sections, first.pack.recent)


def test_the_response_reports_the_stable_prefix(alice: Actor, conversation_id: UUID) -> None:
    before = pack_of(alice, conversation_id)
    turn(alice, conversation_id)
    now = pack_of(alice, conversation_id)
    assert now.stability is not None
    assert now.stability.previous == sum(piece.tokens for piece in pieces_of(before.pack))
    assert (now.stability.same, now.stability.share) == (now.stability.previous, 1.0)
    set_excluded(alice, conversation_id, now.pack.recent[3].index)
    changed = pack_of(alice, conversation_id)
    assert changed.stability is not None
    assert changed.stability.previous == sum(piece.tokens for piece in pieces_of(now.pack))
    same = 0
    for one, other in zip(pieces_of(now.pack), pieces_of(changed.pack), strict=False):
        if one != other:
            break
        same += one.tokens
    assert changed.stability.same == same < changed.stability.previous


def test_a_preview_does_not_change_the_stability_baseline(alice: Actor, conversation_id: UUID) -> None:
    sent = pack_of(alice, conversation_id)
    turn(alice, conversation_id)
    looked = pack_of(alice, conversation_id, sends=False)
    assert looked.stability is not None
    assert looked.stability.previous == sum(piece.tokens for piece in pieces_of(sent.pack))
    turn(alice, conversation_id)
    assert pack_of(alice, conversation_id).stability == looked.stability


# Ended.


def compacted(actor: Actor, conversation_id: UUID) -> None:
    compact(actor, conversation_id)


def pinned(actor: Actor, conversation_id: UUID) -> None:
    with workspace(actor.workspace_id):
        pin_create(actor, conversation_id=conversation_id, draft=PinDraft(content="Never before May."))


def left_out(actor: Actor, conversation_id: UUID) -> None:
    set_excluded(actor, conversation_id, 50)


def remembered(actor: Actor, conversation_id: UUID) -> None:
    with workspace(actor.workspace_id):
        user_memory_create(actor, draft=UserMemoryDraft("fact", "home", "She lives in Bergen."))


def prompted(actor: Actor, conversation_id: UUID) -> None:
    with workspace(actor.workspace_id):
        change = ConversationChange(system_prompt="You are terse.")
        conversation_update(
            actor, conversation_id=conversation_id, change=change, version=row_of(actor, conversation_id).version
        )


def wished(actor: Actor, conversation_id: UUID) -> None:
    with workspace(actor.workspace_id):
        context_settings_update(actor, change=ContextSettingsChange(history_first=True), version=0)


@pytest.mark.slow("one of them compacts")
@pytest.mark.parametrize(
    ("change", "reasons"),
    [
        (compacted, (EpochReason.SUMMARY,)),
        (pinned, (EpochReason.PINS,)),
        (left_out, (EpochReason.EXCLUSIONS,)),
        (remembered, (EpochReason.MEMORY,)),
        (prompted, (EpochReason.SYSTEM_PROMPT,)),
        (wished, (EpochReason.SETTINGS,)),
    ],
)
def test_a_changed_input_ends_the_epoch_and_the_new_one_names_it(
    alice: Actor, conversation_id: UUID, change: Callable[[Actor, UUID], None], reasons: tuple[EpochReason, ...]
) -> None:
    pack_of(alice, conversation_id)
    change(alice, conversation_id)
    began = epoch_of(pack_of(alice, conversation_id))
    assert (began.number, began.reasons, began.is_new) == (2, reasons, True)
    turn(alice, conversation_id)
    kept = epoch_of(pack_of(alice, conversation_id))
    assert kept == replace(began, is_new=False)


@pytest.mark.slow("it compacts")
def test_an_undone_compaction_ends_it_again(alice: Actor, conversation_id: UUID) -> None:
    before = pack_of(alice, conversation_id)
    compact(alice, conversation_id)
    folded = pack_of(alice, conversation_id)
    with workspace(alice.workspace_id):
        run = runs_of(alice, conversation_id)[0]
        compaction_undo(alice, conversation_id=conversation_id, run_id=run.id, policy=Policy())
    undone = pack_of(alice, conversation_id)
    assert [epoch_of(built).number for built in (before, folded, undone)] == [1, 2, 3]
    assert epoch_of(undone).reasons == (EpochReason.SUMMARY,)
    assert undone.pack.recent == before.pack.recent


def test_including_a_message_again_ends_the_epoch(alice: Actor, conversation_id: UUID) -> None:
    whole = pack_of(alice, conversation_id)
    index = whole.pack.recent[3].index
    for number, excluded in ((2, True), (3, False)):
        set_excluded(alice, conversation_id, index, excluded=excluded)
        built = pack_of(alice, conversation_id)
        assert (epoch_of(built).number, epoch_of(built).reasons) == (number, (EpochReason.EXCLUSIONS,))
        assert (index in [message.index for message in built.pack.recent]) is not excluded
    set_excluded(alice, conversation_id, index, excluded=False)
    assert not epoch_of(pack_of(alice, conversation_id)).is_new, "nothing changed"


@pytest.mark.parametrize(
    ("change", "reasons"),
    [
        ({"max_goals": 2}, (EpochReason.POLICY,)),
        ({"token_estimator": "words"}, (EpochReason.POLICY, EpochReason.ESTIMATOR)),
    ],
)
def test_another_policy_ends_it(
    alice: Actor, conversation_id: UUID, settings: Settings, change: dict[str, Any], reasons: tuple[EpochReason, ...]
) -> None:
    pack_of(alice, conversation_id)
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, **change)
    assert epoch_of(pack_of(alice, conversation_id)).reasons == reasons


def test_another_model_ends_it(alice: Actor, conversation_id: UUID, settings: Settings) -> None:
    pack_of(alice, conversation_id)
    set_provider_variables(settings, ANTHROPIC_API_KEY="sk-test")
    assert epoch_of(pack_of(alice, conversation_id)).reasons == (EpochReason.MODEL,)


def test_it_ends_when_the_window_is_full_and_the_next_begins_a_quarter_later(
    alice: Actor, conversation_id: UUID
) -> None:
    first = pack_of(alice, conversation_id)
    kept, built = first, first
    while epoch_of(built).number == 1:
        kept = built
        turn(alice, conversation_id)
        built = pack_of(alice, conversation_id)
    assert epoch_of(built).reasons == (EpochReason.WINDOW_FULL,)
    room = first.pack.epoch.history_tokens
    assert BUDGET * 6 // 10 < kept.pack.layer_tokens()[Layer.HISTORY] <= room
    passed = [message for message in kept.pack.recent if message.index < built.pack.recent[0].index]
    assert sum(message.token_count for message in passed) >= room // 4 - 120
    assert built.total_tokens <= BUDGET


# Ownership.


def test_every_reader_has_their_own(alice: Actor, bob: Actor, conversation_id: UUID) -> None:
    Caller(alice).post(f"/conversations/{conversation_id}/shares", {"email": "bob@example.org", "access": "read"})
    with workspace(alice.workspace_id):
        change = ConversationChange(private_memory_when_shared=True)
        conversation_update(alice, conversation_id=conversation_id, change=change, version=None)
    remembered(bob, conversation_id)
    hers, his = pack_of(alice, conversation_id), pack_of(bob, conversation_id)
    assert epoch_of(hers).is_new and epoch_of(his).is_new
    remembered(alice, conversation_id)
    hers, his = pack_of(alice, conversation_id), pack_of(bob, conversation_id)
    assert hers.pack.user_memory and not his.pack.user_memory
    assert epoch_of(hers).number == 2 and not epoch_of(his).is_new
    assert {row.user_id for row in rows(alice, conversation_id)} == {alice.user_id, bob.user_id}


def test_each_budget_has_its_own_epoch_and_only_a_reader_s_last_four_are_stored(
    alice: Actor, bob: Actor, conversation_id: UUID
) -> None:
    Caller(alice).post(f"/conversations/{conversation_id}/shares", {"email": "bob@example.org", "access": "read"})
    pack_of(bob, conversation_id)
    for budget in (3_000, 4_000, 5_000, 6_000):
        assert epoch_of(pack_of(alice, conversation_id, budget)).reasons == ()
    turn(alice, conversation_id)
    pack_of(alice, conversation_id, 3_000)
    pack_of(alice, conversation_id, 7_000)
    kept = [row.budget for row in rows(alice, conversation_id) if row.user_id == alice.user_id]
    assert kept == [3_000, 5_000, 6_000, 7_000]
    assert [row.budget for row in rows(bob, conversation_id) if row.user_id == bob.user_id] == [BUDGET]


def test_with_the_engine_disabled_no_epoch_is_stored(alice: Actor, conversation_id: UUID, settings: Settings) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, engine_enabled=False)
    built = pack_of(alice, conversation_id)
    assert (built.epoch, built.stability, rows(alice, conversation_id)) == (None, None, [])


@pytest.mark.django_db(transaction=True)
def test_packs_at_the_same_moment_all_answer_and_leave_one_row(alice: Actor, conversation_id: UUID) -> None:
    for number in (1, 2):
        built = at_once(lambda: pack_of(alice, conversation_id), times=4)
        assert [epoch_of(one).number for one in built] == [number] * 4
        assert len({render_plain(one.pack) for one in built}) == 1
        assert [row.number for row in rows(alice, conversation_id)] == [number]
        pinned(alice, conversation_id)


# Reload.


@pytest.mark.parametrize("decided", [{}, [], {"strategy": "full"}, {"earlier": 3}, {"earlier": []}, "none"])
def test_an_epoch_in_an_unknown_format_is_replaced(alice: Actor, conversation_id: UUID, decided: Any) -> None:
    first = pack_of(alice, conversation_id)
    with workspace(alice.workspace_id):
        PackEpoch.objects.filter(conversation_id=conversation_id).update(decided=decided)
    again = pack_of(alice, conversation_id)
    assert (epoch_of(again).number, epoch_of(again).reasons) == (2, (EpochReason.UNREADABLE,))
    assert again.pack.sections == first.pack.sections
    assert not epoch_of(pack_of(alice, conversation_id)).is_new


@pytest.mark.parametrize("name", ["strategy", "density", "earlier", "segments", "history_tokens"])
def test_an_epoch_with_a_missing_part_does_not_prevent_a_pack(alice: Actor, conversation_id: UUID, name: str) -> None:
    pack_of(alice, conversation_id)
    with workspace(alice.workspace_id):
        row = PackEpoch.objects.get(conversation_id=conversation_id)
        del row.decided[name]
        row.save(update_fields=["decided"])
    assert epoch_of(pack_of(alice, conversation_id)).reasons == (EpochReason.UNREADABLE,)


# Other estimators.


@pytest.fixture
def tiny_vocabulary(tmp_path: Any, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiny vocabularies, in which nearly every letter is a token, under the real names."""
    pytest.importorskip("tiktoken")
    settings.VOCABULARY_ROOT = tmp_path
    tokenizers._loaded.cache_clear()
    for name, vocabulary in VOCABULARIES.items():
        monkeypatch.setitem(VOCABULARIES, name, fits(vocabulary, FILE))
        vocabulary.file.write_bytes(FILE)


@pytest.mark.parametrize(("estimator", "budget"), [("words", 4_000), ("bpe", 12_000)])
def test_with_another_estimator_a_pack_fits_its_budget_and_its_epoch_lasts(
    alice: Actor, conversation_id: UUID, settings: Settings, tiny_vocabulary: None, estimator: str, budget: int
) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, token_estimator=estimator)
    first = pack_of(alice, conversation_id, budget)
    assert first.estimator.name == {"words": "words/0.75", "bpe": "cl100k_base"}[estimator]
    assert sum(first.tokens.values()) == first.total_tokens <= budget
    for _ in range(3):
        turn(alice, conversation_id)
        kept = pack_of(alice, conversation_id, budget)
        assert kept.total_tokens <= budget
        assert not epoch_of(kept).is_new
        assert kept.pack.sections == first.pack.sections
