"""Whether a memory still holds after a new statement, as the reader judges both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.models import Message
from apps.engine.extraction.changes import with_changes
from apps.engine.extraction.parts import parts_of
from apps.engine.memory.relations import STILL_HOLDS
from apps.extraction.services import plan
from apps.extraction.services.comparing import ended_messages, endings
from apps.memory.models import MemConflict, MemNode
from tests.conversations.long_conversations import conversation, say
from tests.engine.extraction.talk import extracted, read_of, span_of, utterance
from tests.extraction.runs import memories_of, nothing_at_once, remember
from tests.memory.recall import index

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("every_sentence")]

OLD, NEW = "The church ladies come for dominoes on Thursdays.", "Dominoes is on Tuesdays these days."
NO_DOMINOES = "No dominoes any more."
Judge = Callable[[float], list[tuple[str, str]]]


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Judge:
    """Let the reader give every earlier statement this chance of having ended; the list has what was compared."""

    def judges(chance: float) -> list[tuple[str, str]]:
        compared: list[tuple[str, str]] = []

        def compare(pairs: Sequence[tuple[str, str]]) -> list[float]:
            compared.extend(pairs)
            return [chance] * len(pairs)

        monkeypatch.setattr(endings, "ended_chances", compare)
        return compared

    return judges


def in_use(actor: Actor) -> list[str]:
    return [row.l2_content for row in memories_of(actor) if row.valid_to is None]


def said(actor: Actor, *texts: str) -> UUID:
    talk = conversation(actor)
    say(actor, talk, *texts, role="user")
    remember(actor, talk)
    return talk


def test_a_memory_on_the_same_topic_that_no_longer_holds_is_replaced(alice: Actor, judge: Judge) -> None:
    compared = judge(0.95)
    said(alice, OLD)
    said(alice, NEW)
    assert in_use(alice) == [NEW]
    assert (OLD, NEW) in compared


def test_what_the_reader_takes_to_hold_stays_and_nobody_is_asked(alice: Actor, judge: Judge) -> None:
    judge(0.1)
    said(alice, OLD)
    said(alice, NEW)
    assert sorted(in_use(alice)) == sorted([OLD, NEW])
    with workspace(alice.workspace_id):
        assert MemConflict.objects.count() == 0


def test_a_statement_of_the_same_messages_is_compared_too(alice: Actor, judge: Judge) -> None:
    judge(0.1)
    said(alice, OLD, NEW)
    assert sorted(in_use(alice)) == sorted([OLD, NEW])


def test_a_memory_that_shares_no_word_with_what_ends_it_is_replaced(alice: Actor, judge: Judge) -> None:
    judge(0.99)
    said(alice, "We are four in the flat.")
    said(alice, "Ben moved out and left me his room.")
    assert in_use(alice) == ["Ben moved out and left me his room."]


def test_the_whole_message_is_judged_and_each_of_its_statements(alice: Actor, judge: Judge) -> None:
    compared = judge(0.6)
    said(alice, OLD)
    said(alice, "My knee is fine again. We do cards now.")
    assert (OLD, "My knee is fine again. We do cards now.") in compared
    assert (OLD, "We do cards now.") in compared


@pytest.mark.parametrize(("chance", "kept"), [(0.96, NO_DOMINOES), (0.5, OLD)])
def test_what_is_hardly_worth_keeping_is_kept_only_if_it_ends_something_known(
    alice: Actor, judge: Judge, monkeypatch: pytest.MonkeyPatch, chance: float, kept: str
) -> None:
    judge(chance)
    said(alice, OLD)
    unsure = span_of(NO_DOMINOES, NO_DOMINOES.rstrip("."), chance=0.4, change="ended")
    monkeypatch.setattr(plan, "read_messages", lambda messages: [read_of(unsure) for _ in messages])
    said(alice, NO_DOMINOES)
    assert in_use(alice) == [kept]


def test_a_message_without_a_statement_is_kept_whole_if_it_ends_something_known(
    alice: Actor, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(0.99)
    said(alice, OLD)
    text = "Off to my last one, the hall is sold."
    nothing = read_of(whole=span_of(text, text.rstrip("."), chance=0.1))
    monkeypatch.setattr(plan, "read_messages", lambda messages: [nothing for _ in messages])
    said(alice, text)
    assert in_use(alice) == [text]


def test_of_several_statements_the_one_that_says_most_of_the_change_replaces(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    chances = {"My knee is fine again.": 0.1, "We do cards now.": 0.6}
    monkeypatch.setattr(endings, "ended_chances", lambda pairs: [chances.get(new, 0.99) for _, new in pairs])
    monkeypatch.setattr(ended_messages, "ended_chances", lambda pairs: [0.0] * len(pairs))
    said(alice, OLD)
    said(alice, "My knee is fine again. We do cards now.")
    assert sorted(in_use(alice)) == ["My knee is fine again.", "We do cards now."]
    with workspace(alice.workspace_id):
        successors = MemNode.objects.exclude(superseded_by=None).values_list("superseded_by__l2_content", flat=True)
        assert list(successors) == ["We do cards now."]


@pytest.mark.parametrize("is_elsewhere", [True, False])
def test_a_passage_ends_what_another_chat_said_though_no_statement_of_it_says_so_alone(
    alice: Actor, monkeypatch: pytest.MonkeyPatch, *, is_elsewhere: bool
) -> None:
    chances = {"My knee is fine again.": 0.1, "We do cards now.": 0.2}
    monkeypatch.setattr(endings, "ended_chances", lambda pairs: [chances.get(new, 0.9) for _, new in pairs])
    monkeypatch.setattr(ended_messages, "ended_chances", lambda pairs: [0.0] * len(pairs))
    talk = said(alice, OLD)
    talk = conversation(alice) if is_elsewhere else talk
    say(alice, talk, "My knee is fine again. We do cards now.", role="user")
    remember(alice, talk)
    assert (OLD not in in_use(alice)) is is_elsewhere


def test_a_possible_statement_that_says_the_change_is_kept_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    text, old = "I moved to Leeds. I have two cats now.", "I live in Berlin."
    moved, cats = "I moved to Leeds", "I have two cats now"
    found = extracted(parts_of([utterance(text)]), read_of(span_of(text, moved, chance=0.4), span_of(text, cats)))
    chances = {f"{moved}.": 0.95, f"{cats}.": 0.05}
    monkeypatch.setattr(endings, "ended_chances", lambda pairs: [chances.get(new, 0.9) for _, new in pairs])
    judged = endings.endings_of(found, {statement: [old] for statement in chances}, {old: "1"}, {old})
    kept = with_changes(found, judged).candidates
    assert [one.statement for one in kept] == [f"{moved}.", f"{cats}."]
    assert judged[f"{cats}."][old] < STILL_HOLDS


def test_of_what_one_message_said_the_surest_ends(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    dead, powerless, again = "The lighting desk is dead.", "The desk has no power at all.", "The desk works again."
    chances = {dead: 0.97, powerless: 0.9}
    monkeypatch.setattr(endings, "ended_chances", lambda pairs: [chances.get(old, 0.0) for old, _ in pairs])
    said(alice, f"{dead} {powerless}")
    said(alice, again)
    assert sorted(in_use(alice)) == sorted([powerless, again])


def test_nothing_is_replaced_by_a_passage_that_seems_to_end_what_several_messages_said(
    alice: Actor, judge: Judge
) -> None:
    judge(0.1)
    said(alice, OLD, "Dominoes is in the church hall.")
    judge(0.99)
    said(alice, NEW)
    assert len(in_use(alice)) == 3


def test_each_statement_of_a_passage_is_compared_with_the_memories_near_it(judge: Judge) -> None:
    compared = judge(0.1)
    text = "We adopted a beagle. Had the best steak of my life."
    kept, possible = "We adopted a beagle", "Had the best steak of my life"
    read = read_of(span_of(text, kept), span_of(text, possible, chance=0.4))
    found = extracted(parts_of([utterance(text)]), read)
    known = {f"{kept}.": ["We have no dog."], f"{possible}.": ["I am vegetarian."]}
    endings.endings_of(found, known, {})
    assert {(old, text) for (old,) in known.values()} <= set(compared)


def test_memories_are_compared_with_few_statements(alice: Actor, judge: Judge) -> None:
    compared = judge(0.1)
    said(alice, *(f"I count {number} swans on the lake." for number in range(20)))
    compared.clear()
    said(alice, "I count no swans on the lake.")
    assert len(compared) == 4


def retrievable(actor: Actor, text: str) -> bool:
    with workspace(actor.workspace_id):
        return Message.objects.get(content=text).retrievable


def index_unread(actor: Actor, text: str) -> None:
    """Say something that can be found and of which nothing is remembered."""
    talk = conversation(actor)
    say(actor, talk, text, role="user")
    nothing_at_once()
    index(actor, talk)


def judge_messages(monkeypatch: pytest.MonkeyPatch, chance: float) -> None:
    monkeypatch.setattr(ended_messages, "ended_chances", lambda pairs: [chance] * len(pairs))


def test_a_message_without_a_memory_that_no_longer_holds_is_quoted_nowhere_else(
    alice: Actor, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(0.1)
    judge_messages(monkeypatch, 0.95)
    index_unread(alice, OLD)
    said(alice, NEW)
    assert not retrievable(alice, OLD)
    assert retrievable(alice, NEW)


def test_no_message_ends_by_a_passage_that_seems_to_end_several(
    alice: Actor, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(0.1)
    judge_messages(monkeypatch, 0.99)
    hall = "Dominoes is in the church hall."
    index_unread(alice, OLD)
    index_unread(alice, hall)
    said(alice, NEW)
    assert retrievable(alice, OLD) and retrievable(alice, hall)


def test_a_message_that_may_hold_stays_quotable(alice: Actor, judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    judge(0.1)
    judge_messages(monkeypatch, 0.6)
    index_unread(alice, OLD)
    said(alice, NEW)
    assert retrievable(alice, OLD)


def test_a_message_stays_quotable_whose_memory_is_superseded(
    alice: Actor, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(0.95)
    judge_messages(monkeypatch, 0.95)
    said(alice, OLD)
    said(alice, NEW)
    assert in_use(alice) == [NEW]
    assert retrievable(alice, OLD), "it is quoted with what replaced it"
