"""The relational profile of a person over their conversations."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from threading import Thread
from uuid import UUID

import pytest
from django.db import connections
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.models import Message
from apps.conversations.records import MessageDraft
from apps.conversations.services.conversations import conversation_share
from apps.engine.memory.categories import RELATIONAL_PROFILE
from apps.extraction.models import ReadPosition, RelationalEvidence
from apps.extraction.services.relational import profile_note
from apps.inbox.records import ScopeKind, SourceScope
from apps.inbox.services.sources import SourceAction, source_quarantine
from apps.inbox.services.undo import inbox_undo
from apps.memory.models import MemNode, MemRevision
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.selectors.nodes import sources_of
from apps.memory.services.tree.archive import node_archive
from apps.memory.services.tree.create import node_create
from apps.memory.services.tree.delete_permanently import node_erase
from apps.memory.services.tree.edit import node_edit
from apps.memory.services.tree.node_drafts import NodeDraft
from apps.turns.services.delete import message_delete
from apps.turns.services.fork import conversation_fork
from apps.turns.services.messages import messages_set_excluded, messages_store
from tests.conversations.long_conversations import conversation, say
from tests.extraction.runs import remember

pytestmark = pytest.mark.django_db(transaction=True)
ANSWER = "It is a queue that sorts by priority. " * 20


def chat(actor: Actor, feedback: str, *, day: int = 1, subject: str = "heaps") -> UUID:
    """A conversation in which a person writes something about the reply."""
    drafts = [
        MessageDraft("user", f"What are {subject}?", created_at=datetime(2026, 11, day, 9, tzinfo=UTC)),
        MessageDraft("assistant", ANSWER, created_at=datetime(2026, 11, day, 10, tzinfo=UTC)),
        MessageDraft("user", feedback, created_at=datetime(2026, 11, day, 11, tzinfo=UTC)),
    ]
    conversation_id = conversation(actor, title=subject)
    with workspace(actor.workspace_id):
        messages_store(actor, conversation_id=conversation_id, drafts=drafts)
    return conversation_id


def profile_of(actor: Actor) -> MemNode:
    with workspace(actor.workspace_id):
        return MemNode.objects.get(owner_id=actor.person_id, uri=RELATIONAL_PROFILE.text)


def has_profile(actor: Actor) -> bool:
    with workspace(actor.workspace_id):
        return MemNode.objects.filter(uri=RELATIONAL_PROFILE.text, archived_at=None).exists()


def test_it_adds_up_over_conversations_with_the_messages_as_sources(alice: Actor) -> None:
    for day in (1, 2, 3):
        remember(alice, chat(alice, "Please keep your answers short.", day=day))
    row = profile_of(alice)
    assert row.l2_content == "## How to answer\n- Wants short replies (seen in 3 chats, last on 2026-11-03)"
    assert (row.trust, row.arrival, row.category, row.version) == ("direct_user", "accepted", "profile", 3)
    with workspace(alice.workspace_id):
        sources = {one.reference for one in sources_of([row.id])[row.id]}
        evidence = RelationalEvidence.objects.all()
        assert sources == {str(one.message_id) for one in evidence}
        texts = [Message.objects.get(pk=one.message_id).content[one.start : one.end] for one in evidence]
        assert texts == ["keep your answers short"] * 3
        assert tree_faults() == []


def test_a_later_contrary_request_replaces_the_line_and_the_earlier_one_stays_in_the_history(alice: Actor) -> None:
    remember(alice, chat(alice, "Please keep your answers short."))
    remember(alice, chat(alice, "Please write longer answers.", day=2))
    row = profile_of(alice)
    assert row.l2_content == "## How to answer\n- Wants detailed replies (seen in 1 chat, last on 2026-11-02)"
    with workspace(alice.workspace_id):
        revision = MemRevision.objects.get(node_id=row.id, number=2)
    assert "Wants short replies" in revision.before["l2_content"]
    assert (revision.operation, revision.made_by) == ("merge", "relational-1")


def test_what_was_read_before_changes_nothing(alice: Actor) -> None:
    talk = chat(alice, "Too long, shorter please. No emoji please.")
    remember(alice, talk)
    before = profile_of(alice)
    with workspace(alice.workspace_id):
        ReadPosition.objects.update(next_index=0)
    remember(alice, talk)
    assert (profile_of(alice).version, profile_of(alice).l2_content) == (1, before.l2_content)


def test_a_copy_of_a_conversation_changes_nothing(alice: Actor) -> None:
    talk = chat(alice, "Too long, shorter please.")
    remember(alice, talk)
    remember(alice, chat(alice, "Too long, shorter please."))
    with workspace(alice.workspace_id):
        fork = conversation_fork(alice, conversation_id=talk, through_index=2).id
    remember(alice, fork)
    row = profile_of(alice)
    assert row.version == 1
    assert "(seen in 1 chat, last on 2026-11-01)" in row.l2_content


def test_a_copy_without_dates_changes_nothing(alice: Actor) -> None:
    for number in (1, 2):
        talk = conversation(alice, external_id=f"export-{number}")
        say(alice, talk, "What are heaps?", ANSWER, "Too long, shorter please.")
        remember(alice, talk)
    assert "(seen in 1 chat" in profile_of(alice).l2_content


@pytest.mark.parametrize("split", [1, 2, 3, 5])
def test_any_split_into_runs_gives_the_same_profile(alice: Actor, split: int) -> None:
    talk = chat(alice, "Too long, shorter please. Please keep your answers short.")
    with workspace(alice.workspace_id):
        drafts = [MessageDraft("assistant", "A queue."), MessageDraft("user", "Perfect, exactly like that.")]
        messages_store(alice, conversation_id=talk, drafts=drafts)
        rows = list(Message.objects.filter(conversation_id=talk).order_by("index"))
    for start in range(0, len(rows), split):
        with workspace(alice.workspace_id):
            profile_note(alice, conversation_id=talk, messages=rows[start : start + split])
    lines = [line.partition(" (")[0] for line in profile_of(alice).l2_content.splitlines() if line.startswith("- ")]
    assert lines == ["- Wants short replies", "- Found a reply too long", "- Praised a short reply"]


def test_runs_at_the_same_time_write_one_profile(alice: Actor) -> None:
    talks = [chat(alice, "Please keep your answers short.", day=day) for day in (1, 2, 3, 4)]

    def note(talk: UUID) -> None:
        with workspace(alice.workspace_id):
            rows = list(Message.objects.filter(conversation_id=talk))
            profile_note(alice, conversation_id=talk, messages=rows)
        connections.close_all()

    threads = [Thread(target=note, args=(talk,)) for talk in [*talks, *talks]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    row = profile_of(alice)
    assert "(seen in 4 chats, last on 2026-11-04)" in row.l2_content
    assert row.version == 4


def test_a_persons_own_lines_win(alice: Actor) -> None:
    remember(alice, chat(alice, "Please keep your answers short."))
    row = profile_of(alice)
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=row.id, changes={"content": "Answers may be long on Sundays."}, version=1)
    remember(alice, chat(alice, "Please keep your answers short. No emoji please.", day=2))
    assert profile_of(alice).l2_content.splitlines() == [
        "Answers may be long on Sundays.",
        "",
        "## How to answer",
        "- Wants no emoji (seen in 1 chat, last on 2026-11-02)",
    ]


def test_a_profile_that_a_person_wrote_first_is_added_to(alice: Actor) -> None:
    with workspace(alice.workspace_id):
        node_create(alice, draft=NodeDraft(RELATIONAL_PROFILE, "Likes one subject at a time."))
    remember(alice, chat(alice, "No emoji please."))
    row = profile_of(alice)
    assert row.l2_content.startswith("Likes one subject at a time.\n\n## How to answer\n- Wants no emoji")
    with workspace(alice.workspace_id):
        assert {one.kind for one in sources_of([row.id])[row.id]} == {"person", "message"}


def test_a_profile_that_was_archived_or_deleted_does_not_return(alice: Actor, bob: Actor) -> None:
    for actor, remove in ((alice, node_archive), (bob, node_erase)):
        remember(actor, chat(actor, "No emoji please."))
        row = profile_of(actor)
        with workspace(actor.workspace_id):
            remove(actor, node_id=row.id)
        remember(actor, chat(actor, "Please keep your answers short.", day=2))
    assert not has_profile(alice)


def test_others_system_text_tools_and_quotations_show_nothing(alice: Actor, bob: Actor) -> None:
    talk = conversation(alice, title="With others")
    with workspace(alice.workspace_id):
        drafts = [
            MessageDraft("user", "hi all", name="Alice"),
            MessageDraft("system", "No emoji please."),
            MessageDraft("assistant", "No emoji please."),
            MessageDraft("tool", "No emoji please."),
            MessageDraft("user", "No emoji please.", name="Bob"),
            MessageDraft("user", "<private>No emoji please.</private>", name="Alice"),
            MessageDraft("user", "> No emoji please.", name="Alice"),
        ]
        messages_store(alice, conversation_id=talk, drafts=drafts)
    remember(alice, talk)
    shared = chat(alice, "No emoji please.")
    with workspace(alice.workspace_id):
        conversation_share(alice, conversation_id=shared, email="bob@example.org", access="write")
    remember(alice, shared)
    assert not has_profile(alice)


def test_an_excluded_message_is_no_evidence_until_it_is_included_again(alice: Actor) -> None:
    talk = chat(alice, "No emoji please.")
    remember(alice, talk)
    remember(alice, chat(alice, "Please keep your answers short.", day=2))
    with workspace(alice.workspace_id):
        message_id = Message.objects.get(conversation_id=talk, index=2).id
    for excluded in (True, False):
        with workspace(alice.workspace_id):
            messages_set_excluded(alice, conversation_id=talk, message_ids=[message_id], excluded=excluded)
        assert ("emoji" in profile_of(alice).l2_content) is not excluded


def test_a_permanently_deleted_message_leaves_no_evidence(alice: Actor) -> None:
    talk = chat(alice, "You can call me Sam.")
    remember(alice, talk)
    with workspace(alice.workspace_id):
        message_id = Message.objects.get(conversation_id=talk, index=2).id
        message_delete(alice, conversation_id=talk, message_id=message_id)
        assert not RelationalEvidence.objects.exists()
    assert not has_profile(alice)


@pytest.mark.parametrize("days", [(1,), (1, 2)])
def test_a_quarantined_message_is_no_evidence(alice: Actor, days: tuple[int, ...]) -> None:
    talks = [chat(alice, "No emoji please.", day=day) for day in days]
    for one in talks:
        remember(alice, one)
    if len(days) > 1:
        remember(alice, chat(alice, "Please call me Sam.", day=3))
    for one in talks:
        with workspace(alice.workspace_id):
            scope = SourceScope(ScopeKind.CONVERSATION, str(one))
            source_quarantine(alice, scope=scope, action=SourceAction.QUARANTINE)
    for day, words in ((4, "Please keep your answers short."), (5, "You can call me Sam.")):
        remember(alice, chat(alice, words, day=day))
    assert "emoji" not in profile_of(alice).l2_content
    assert "short" in profile_of(alice).l2_content


def test_evidence_counts_again_once_its_quarantine_was_undone(alice: Actor) -> None:
    talk = chat(alice, "No emoji please.")
    remember(alice, talk)
    with workspace(alice.workspace_id):
        scope = SourceScope(ScopeKind.CONVERSATION, str(talk))
        effect = source_quarantine(alice, scope=scope, action=SourceAction.QUARANTINE)
        assert effect.change_id
        inbox_undo(alice, change_id=effect.change_id)
    remember(alice, chat(alice, "Please keep your answers short.", day=2))
    assert "emoji" in profile_of(alice).l2_content


def test_its_sources_are_the_newest_messages(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.extraction.services.relational_profile.MOST_SOURCES", 2)
    for day in (1, 2, 3):
        remember(alice, chat(alice, "No emoji please.", day=day))
    row = profile_of(alice)
    with workspace(alice.workspace_id):
        newest = Message.objects.filter(content="No emoji please.").order_by("-created_at").values_list("pk", flat=True)
        assert [one.reference for one in sources_of([row.id])[row.id]] == [str(pk) for pk in newest[:2]]


def test_where_everything_waits_a_new_profile_waits_too(alice: Actor, settings: Settings) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, memory_mode="nothing")
    remember(alice, chat(alice, "No emoji please."))
    assert profile_of(alice).arrival == "proposed"


def test_a_profile_is_its_persons_alone(alice: Actor, bob: Actor) -> None:
    remember(alice, chat(alice, "No emoji please."))
    remember(bob, chat(bob, "Please keep your answers short."))
    assert "emoji" not in profile_of(bob).l2_content
