"""Without a model a summary holds what the reader takes to be worth keeping; without the reader, what words tell."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from apps.accounts.actors import Actor
from apps.compaction.summarizers import reader
from apps.engine.messages.message import Role
from apps.engine.policy import Level
from apps.engine.reading.chances import MessageInput, MessageRead
from apps.engine.summary.rolling_summary import RollingSummary
from apps.llm.errors import ModelError
from tests.compaction.corrections import summary_now
from tests.compaction.runs import compact
from tests.conversations.long_conversations import conversation, say
from tests.engine.conversations import POLICY, indexed, text_message

PLAIN = "my sis ada moved over to lisbon"


@pytest.mark.django_db
def test_a_plain_statement_of_a_person_is_in_the_summary(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "hey there", role="user")
    say(alice, talk, PLAIN, role="user")
    say(alice, talk, *["And how is the weather where you are today, my friend?"] * 24, role="user")
    compact(alice, talk)
    assert PLAIN in str(summary_now(alice, talk))


def test_without_the_reader_words_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(messages: Sequence[MessageInput]) -> list[MessageRead]:
        raise ModelError("unavailable", "The package is missing.")

    monkeypatch.setattr(reader, "read_messages", read)
    told = indexed([text_message(Role.USER, "We decided to ship on 3 May."), text_message(Role.USER, PLAIN)])
    summary = reader.summarize_with_reader(RollingSummary(), told, Level.LIGHT, POLICY)
    assert len(summary.decisions) == 1
    assert PLAIN not in str(summary)
