"""A conversation to which things happen at random, with all that is told of it and how it looks after each."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import ContinuityError
from apps.common.tenancy import workspace
from apps.compaction.services.undoing import compaction_undo
from apps.context.selectors.live import conversation_live
from apps.conversations.models import Message, MessageStatus
from apps.conversations.selectors.access import conversation_lock
from apps.conversations.selectors.conversations import conversation_get
from apps.conversations.services.announcing import turn_announce_end, turn_announce_start
from apps.conversations.services.conversations import ConversationChange, conversation_update
from apps.conversations.services.replies import Ending, reply_close, reply_open
from apps.engine.policy import Level, Policy
from apps.events.carrier import as_json
from apps.memory.models import PinnedMemory
from apps.memory.services.pins import PinDraft, pin_create, pin_delete, pin_update
from apps.realtime.frames import snapshot_frame
from apps.turns.services.messages import messages_leave_out
from tests.compaction.work import compact, runs_of
from tests.conversations.talk import conversation, say

Frame = dict[str, Any]


@dataclass
class Moment:
    """What one step told, and the snapshot after it."""

    told: list[Frame]
    snapshot: Frame


class Told(list[Frame]):
    """Stands in the place of Redis: keeps what would be sent, as clients would read it."""

    def carry(self, group: str, frame: Frame) -> bool:
        self.append(json.loads(as_json(frame)))
        return True

    def since(self, begin: int, talk: UUID) -> list[Frame]:
        return [frame for frame in self[begin:] if frame.get("conversation_id") == str(talk)]


@dataclass
class Talk:
    """One conversation, and the steps that can be taken in it."""

    actor: Actor
    told: Told
    random: Random
    id: UUID = field(init=False)

    def __post_init__(self) -> None:
        self.id = conversation(self.actor, title="A talk")

    def snapshot(self) -> Frame:
        with workspace(self.actor.workspace_id):
            frame: Frame = json.loads(snapshot_frame(conversation_live(self.actor, self.id)))
        return frame

    def step(self) -> Moment:
        """One thing happens, or is refused."""
        begin = len(self.told)
        act = self.random.choices(list(_ACTS), weights=list(_ACTS.values()))[0]
        with suppress(ContinuityError):
            act(self)
        return Moment(self.told.since(begin, self.id), self.snapshot())

    def say(self) -> None:
        say(self.actor, self.id, *(f"Say {self.random.random()}. " * 9 for _ in range(self.random.randint(1, 9))))

    def leave_out(self) -> None:
        with workspace(self.actor.workspace_id):
            ids = list(Message.objects.filter(conversation_id=self.id).values_list("id", flat=True))
            chosen = self.random.sample(ids, min(len(ids), 3))
            if chosen:
                excluded = self.random.random() < 0.6
                messages_leave_out(self.actor, conversation_id=self.id, message_ids=chosen, excluded=excluded)

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

    def reply(self) -> None:
        """A turn from its beginning to its end, in two transactions."""
        with workspace(self.actor.workspace_id):
            hold = reply_open(conversation=conversation_lock(self.id), policy=Policy())
            turn_announce_start(conversation_id=self.id, said_index=hold.index, reply_index=hold.index)
        if self.random.random() < 0.3:
            say(self.actor, self.id, "Meanwhile", role="user")
        status = self.random.choice([MessageStatus.COMPLETE, MessageStatus.PARTIAL, MessageStatus.FAILED])
        with workspace(self.actor.workspace_id):
            reply_close(hold, text="So be it. " * self.random.randint(1, 50), ending=Ending(status), policy=Policy())
            turn_announce_end(conversation_id=self.id, reply_id=hold.reply_id)


_ACTS: dict[Callable[[Talk], None], int] = {
    Talk.say: 6,
    Talk.leave_out: 4,
    Talk.pin: 3,
    Talk.repin: 3,
    Talk.compact: 2,
    Talk.undo: 2,
    Talk.rename: 2,
    Talk.reply: 3,
}
