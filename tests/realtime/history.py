"""A conversation with random steps, all its events, and a snapshot after each step."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import islice
from random import Random
from typing import Any
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.errors import ContinuityError
from apps.common.tenancy import workspace
from apps.compaction.models import CompactionRun, RunState, Trigger
from apps.compaction.services.events import run_announce
from apps.compaction.services.request import compaction_request
from apps.compaction.services.run_records import run_to_do, runs_given_up
from apps.compaction.services.undo import compaction_undo
from apps.context.selectors.conversation.live_snapshot import conversation_live
from apps.conversations.models import Message, MessageStatus, ShareAccess
from apps.conversations.selectors.access import conversation_lock
from apps.conversations.selectors.conversations import conversation_get
from apps.conversations.services.conversations import (
    ConversationChange,
    conversation_share,
    conversation_unshare,
    conversation_update,
)
from apps.conversations.services.events import reply_announce, turn_announce_end, turn_announce_start
from apps.conversations.services.replies import Ending, TurnLease, reply_close, reply_open, reply_write
from apps.engine.policy import Level, Policy
from apps.engine.summary.rolling_summary import summary_from_json
from apps.events.envelopes import is_personal
from apps.events.publish import emit
from apps.events.redis_publisher import as_json
from apps.events.types import CompactionStarted, TurnProgressed
from apps.jobs.records import FailureReason
from apps.memory.models import PinnedMemory
from apps.memory.services.pins import PinDraft, pin_create, pin_delete, pin_update
from apps.realtime.frames import snapshot_frame
from apps.turns.services.messages import messages_set_excluded
from apps.turns.services.orphaned_replies import turn_release
from tests.compaction.runs import compact, context_of, runs_of
from tests.conversations.long_conversations import conversation, say

Frame = dict[str, Any]


@dataclass
class Moment:
    """The events of one step, and the snapshot after it."""

    told: list[Frame]
    snapshot: Frame


class Told(list[Frame]):
    """A substitute for Redis that records frames as clients would receive them."""

    def carry(self, group: str, frame: Frame) -> bool:
        if not is_personal(group):
            self.append(json.loads(as_json(frame)))
        return True

    def since(self, begin: int, talk: UUID) -> list[Frame]:
        return [frame for frame in self[begin:] if frame.get("conversation_id") == str(talk)]


@dataclass
class Talk:
    """A conversation and its possible steps. `done` counts the steps that emitted events."""

    actor: Actor
    guest: Actor
    told: Told
    random: Random
    done: Counter[str] = field(default_factory=Counter)
    id: UUID = field(init=False)

    def __post_init__(self) -> None:
        self.id = conversation(self.actor, title="A talk")

    def snapshot(self) -> Frame:
        with workspace(self.actor.workspace_id):
            frame: Frame = json.loads(snapshot_frame(conversation_live(self.actor, self.id)))
        return frame

    def step(self) -> Moment:
        """Run a random step, which may be refused."""
        begin = len(self.told)
        act = self.random.choices(list(_ACTS), weights=list(_ACTS.values()))[0]
        with suppress(ContinuityError):
            act(self)
        told = self.told.since(begin, self.id)
        self.done[act.__name__] += bool(told)
        return Moment(told, self.snapshot())

    def say(self) -> None:
        texts = (f"Say {n}. We decided to build part {n} because it fits. " * 3 for n in iter(self.random.random, None))
        say(self.actor, self.id, *islice(texts, self.random.randint(1, 9)))

    def leave_out(self) -> None:
        with workspace(self.actor.workspace_id):
            ids = list(Message.objects.filter(conversation_id=self.id).values_list("id", flat=True))
            chosen = self.random.sample(ids, min(len(ids), 3))
            if chosen:
                excluded = self.random.random() < 0.6
                messages_set_excluded(self.actor, conversation_id=self.id, message_ids=chosen, excluded=excluded)

    def forget(self) -> None:
        """Exclude all sources of a summary line."""
        with suppress(ObjectDoesNotExist):
            context = context_of(self.actor, self.id)
            entries = [entry for _, entry in summary_from_json(context.rolling_summary).entries()]
            with workspace(self.actor.workspace_id):
                for entry in entries[-1:]:
                    ids = [UUID(source) for source in entry.sources]
                    messages_set_excluded(self.actor, conversation_id=self.id, message_ids=ids, excluded=True)

    def pin(self) -> None:
        with workspace(self.actor.workspace_id):
            pin_create(self.actor, conversation_id=self.id, draft=PinDraft(content=f"Keep {self.random.random()}"))

    def repin(self) -> None:
        with workspace(self.actor.workspace_id):
            pin = PinnedMemory.objects.filter(conversation_id=self.id).first()
            if pin is not None and self.random.random() < 0.5:
                pin_delete(self.actor, conversation_id=self.id, pin_id=pin.id)
            elif pin is not None:
                changes, version = {"category": "decision"}, pin.version
                pin_update(self.actor, conversation_id=self.id, pin_id=pin.id, changes=changes, version=version)

    def compact(self) -> None:
        compact(self.actor, self.id, self.random.choice(list(Level)))

    def undo(self) -> None:
        for run in [run for run in runs_of(self.actor, self.id) if run.state == "succeeded"][-1:]:
            with workspace(self.actor.workspace_id):
                compaction_undo(self.actor, conversation_id=self.id, run_id=run.id, policy=Policy())

    def rename(self) -> None:
        with workspace(self.actor.workspace_id):
            version = conversation_get(self.actor, self.id).version
            change = ConversationChange(title=f"Talk {self.random.randint(1, 99)}")
            conversation_update(self.actor, conversation_id=self.id, change=change, version=version)

    def share(self) -> None:
        with workspace(self.actor.workspace_id):
            if self.random.random() < 0.5:
                access = self.random.choice(list(ShareAccess))
                conversation_share(self.actor, conversation_id=self.id, email="bob@example.org", access=access)
            else:
                conversation_unshare(self.actor, conversation_id=self.id, user_id=self.guest.user_id)

    def fail(self) -> None:
        """A requested compaction of which every attempt fails."""
        with workspace(self.actor.workspace_id):
            compaction_request(self.actor, conversation_id=self.id, level=Level.LIGHT, policy=Policy())
            runs_given_up(conversation_id=self.id, reason=FailureReason.WORKER_LOST)

    def drop(self) -> None:
        """An automatic run whose worker died, and which is no longer due for the next one."""
        with workspace(self.actor.workspace_id):
            CompactionRun.objects.create(conversation_id=self.id, trigger=Trigger.AUTO, state=RunState.RUNNING)
            run_announce(CompactionStarted, conversation_id=self.id)
        with workspace(self.actor.workspace_id):
            run_to_do(conversation_lock(self.id), wanted=False)

    def reply(self) -> None:
        """A whole turn, in two or three transactions."""
        lease = self._begun()
        if self.random.random() < 0.5:
            self._come(lease, "So be ")
        if self.random.random() < 0.3:
            say(self.actor, self.id, "Meanwhile", role="user")
        status = self.random.choice([MessageStatus.COMPLETE, MessageStatus.PARTIAL, MessageStatus.FAILED])
        with workspace(self.actor.workspace_id):
            text = "So be it. " * self.random.randint(1, 50)
            turn_announce_end(reply_close(lease, text=text, ending=Ending(status), policy=Policy()))

    def abandon(self) -> None:
        """A turn whose writer dies, and which is released."""
        lease = self._begun()
        if self.random.random() < 0.5:
            self._come(lease, "So far")
        with workspace(self.actor.workspace_id):
            row = conversation_lock(self.id)
            row.turn_until = timezone.now() - timedelta(seconds=1)
            row.save(update_fields=["turn_until"])
            turn_release(row)

    def _begun(self) -> TurnLease:
        with workspace(self.actor.workspace_id):
            row = conversation_lock(self.id)
            opened = reply_open(conversation=row, policy=Policy())
            turn_announce_start(conversation=row, said=opened.reply, reply=opened.reply)
        return opened.lease

    def _come(self, lease: TurnLease, text: str) -> None:
        """Store and announce the partial reply."""
        with workspace(self.actor.workspace_id):
            reply_announce(reply_write(lease, text=text, policy=Policy()))
        emit(TurnProgressed(conversation_id=self.id, reply_id=lease.reply_id, characters=len(text)))


_ACTS: dict[Callable[[Talk], None], int] = {
    Talk.say: 6,
    Talk.leave_out: 4,
    Talk.forget: 2,
    Talk.pin: 3,
    Talk.repin: 3,
    Talk.compact: 2,
    Talk.undo: 2,
    Talk.fail: 1,
    Talk.drop: 1,
    Talk.rename: 1,
    Talk.share: 2,
    Talk.reply: 3,
    Talk.abandon: 1,
}
EVERY_ACT = {act.__name__ for act in _ACTS}
