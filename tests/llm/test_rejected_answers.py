"""Answers that were not accepted: kept as they came, for a while."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.llm.models import RejectedAnswer
from apps.llm.providers.base import Purpose
from apps.llm.services.rejected_answers import RETENTION_DAYS, rejected_prune, rejected_record
from apps.llm.structured.structured_output import Rejected
from apps.turns.services.messages import messages_leave_out
from tests.conversations.talk import conversation, say


def keep(actor: Actor, text: str) -> RejectedAnswer:
    with workspace(actor.workspace_id):
        rejected = [Rejected("It tells nothing.", text)]
        rejected_record(rejected=rejected, purpose=Purpose.COMPACTION, model="claude-test")
        return RejectedAnswer.objects.latest("id")


def test_what_no_table_takes_is_left_out_and_lines_stay(alice: Actor) -> None:
    assert keep(alice, "one\x00\ntwo\ud800").text == "one\ntwo"


def test_a_long_answer_is_kept_up_to_a_length(alice: Actor) -> None:
    assert len(keep(alice, "x" * 60_000).text) == 50_000


def test_the_answer_is_not_in_a_log_of_the_problem() -> None:
    assert "SECRET" not in repr(Rejected("It tells nothing.", "SECRET"))


def test_what_models_made_of_a_conversation_goes_when_a_message_of_it_is_left_out(alice: Actor) -> None:
    talk = conversation(alice)
    said = say(alice, talk, "Something private.")
    rejected = [Rejected("It tells nothing.", "Something private.")]
    with workspace(alice.workspace_id):
        rejected_record(rejected=rejected, purpose=Purpose.COMPACTION, model="m", conversation_id=talk)
        messages_leave_out(alice, conversation_id=talk, message_ids=[said[0].id], excluded=True)
        assert not RejectedAnswer.objects.exists()


def test_old_ones_are_forgotten_and_newer_ones_stay(alice: Actor, bob: Actor) -> None:
    old, new = keep(alice, "old"), keep(alice, "new")
    with workspace(alice.workspace_id):
        RejectedAnswer.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=RETENTION_DAYS + 1))
        assert rejected_prune() == 1
        assert list(RejectedAnswer.objects.values_list("pk", flat=True)) == [new.pk]
