"""Storage and retention of rejected answers."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.llm.models import RejectedAnswer
from apps.llm.providers.base import Purpose
from apps.llm.services.rejected_answers import RETENTION_DAYS, rejected_prune, rejected_record
from apps.llm.structured.structured_output import Rejected
from apps.turns.services.messages import messages_set_excluded
from tests.conversations.long_conversations import conversation, say


def store(actor: Actor, text: str) -> RejectedAnswer:
    with workspace(actor.workspace_id):
        rejected = [Rejected("It contains no information.", text)]
        rejected_record(rejected=rejected, purpose=Purpose.COMPACTION, model="claude-test")
        return RejectedAnswer.objects.latest("id")


def test_unstorable_characters_are_replaced_and_lines_preserved(alice: Actor) -> None:
    assert store(alice, "one\x00\ntwo\ud800").text == "one\ufffd\ntwo\ufffd"


def test_a_long_rejected_answer_is_truncated(alice: Actor) -> None:
    assert len(store(alice, "x" * 60_000).text) == 50_000


def test_a_rejected_answer_is_not_in_the_log() -> None:
    assert "SECRET" not in repr(Rejected("It contains no information.", "SECRET"))


def test_excluding_a_message_deletes_the_conversation_s_rejected_answers(alice: Actor) -> None:
    talk = conversation(alice)
    said = say(alice, talk, "Something private.")
    rejected = [Rejected("It contains no information.", "Something private.")]
    with workspace(alice.workspace_id):
        rejected_record(rejected=rejected, purpose=Purpose.COMPACTION, model="m", conversation_id=talk)
        messages_set_excluded(alice, conversation_id=talk, message_ids=[said[0].id], excluded=True)
        assert not RejectedAnswer.objects.exists()


def test_old_rejected_answers_are_deleted_and_newer_ones_stay(alice: Actor, bob: Actor) -> None:
    old, new = store(alice, "old"), store(alice, "new")
    with workspace(alice.workspace_id):
        RejectedAnswer.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=RETENTION_DAYS + 1))
        assert rejected_prune() == 1
        assert list(RejectedAnswer.objects.values_list("pk", flat=True)) == [new.pk]
