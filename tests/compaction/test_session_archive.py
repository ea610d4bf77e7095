"""The archive of a conversation at `mem://sessions/<id>/summary`."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import ContextSettings
from apps.common.tenancy import workspace
from apps.compaction.selectors.session_archives import archive_address
from apps.compaction.services.archive.scheduling import KIND
from apps.compaction.services.undo import compaction_undo
from apps.conversations.models import Conversation, Message, ShareAccess
from apps.engine.policy import Policy
from apps.engine.summary.rendering import entry_text
from apps.engine.summary.rolling_summary import summary_from_json
from apps.jobs.models import DueJob
from apps.memory.models import MemNode, MemRevision, Passage
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.selectors.nodes import sources_of
from apps.memory.selectors.search.find import find
from apps.memory.services.tree.create import node_create
from apps.memory.services.tree.edit import node_edit
from apps.memory.services.tree.node_drafts import NodeDraft
from apps.turns.services.delete import conversation_delete, message_delete
from apps.turns.services.messages import messages_set_excluded
from tests.compaction.runs import compact, context_of, run_due_jobs
from tests.context.test_past_chats import share
from tests.conversations.long_conversations import conversation, long_talk, say

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_extraction() -> None:
    """Leave extraction on: a conversation that is not read for memories has no archive."""


TALK = (
    "How do we store bookings?",
    "In PostgreSQL, I would say.",
    "We decided to use PostgreSQL because it has transactions.",
    "Good. Then the seats can be counted in one place.",
)


@pytest.fixture
def talk(alice: Actor) -> UUID:
    conversation_id = conversation(alice, title="Bookings")
    say(alice, conversation_id, *TALK)
    return conversation_id


def archive(actor: Actor, conversation_id: UUID) -> MemNode | None:
    """Run the job, which waits for a pause, now, and return the archive."""
    DueJob.objects.filter(kind=KIND).update(due_at=timezone.now())
    run_due_jobs()
    return stored(actor, conversation_id)


def stored(actor: Actor, conversation_id: UUID) -> MemNode | None:
    with workspace(actor.workspace_id):
        return MemNode.objects.filter(uri=archive_address(conversation_id).text).first()


def present(actor: Actor, conversation_id: UUID) -> MemNode:
    row = archive(actor, conversation_id)
    assert row is not None
    return row


def test_a_conversation_that_pauses_has_one_with_its_messages_as_sources(alice: Actor, talk: UUID) -> None:
    row = present(alice, talk)
    assert row.l2_content.startswith("# Bookings\n\n## Decisions\n- We decided to use PostgreSQL")
    assert row.l0_abstract.startswith("Bookings: ")
    assert (row.owner_id, row.category, row.arrival, row.version) == (alice.person_id, "session", "accepted", 1)
    with workspace(alice.workspace_id):
        sources = {one.reference for one in sources_of([row.id])[row.id]}
        assert sources <= {str(pk) for pk in Message.objects.values_list("pk", flat=True)}
        assert sources
        assert tree_faults() == []


def test_it_waits_for_the_pause(alice: Actor, talk: UUID) -> None:
    run_due_jobs()
    assert stored(alice, talk) is None


def test_nothing_is_written_if_nothing_changed(alice: Actor, talk: UUID) -> None:
    first = present(alice, talk)
    with workspace(alice.workspace_id):
        Conversation.objects.filter(pk=talk).update(active_at=timezone.now())
    say(alice, talk, "", "")
    assert (present(alice, talk).version, present(alice, talk).updated_at) == (1, first.updated_at)


def test_it_follows_the_conversation(alice: Actor, talk: UUID) -> None:
    present(alice, talk)
    say(alice, talk, "We agreed that the desk opens at nine.", "Noted.")
    row = present(alice, talk)
    assert (row.version, "the desk opens at nine" in row.l2_content) == (2, True)


def test_a_compacted_one_has_the_lines_of_the_summary_until_it_is_undone(alice: Actor) -> None:
    talk = long_talk(alice, messages=30, tokens=50)
    before = present(alice, talk).l2_content
    run = compact(alice, talk)
    row = present(alice, talk)
    summary = summary_from_json(context_of(alice, talk).rolling_summary)
    entries = [entry for _, entry in summary.entries()]
    assert entries
    assert all(entry_text(entry) in row.l2_content for entry in entries)
    with workspace(alice.workspace_id):
        cited = {source for entry in entries for source in entry.sources}
        assert {one.reference for one in sources_of([row.id])[row.id]} <= cited
        compaction_undo(alice, conversation_id=talk, run_id=run.id, policy=Policy())
    assert present(alice, talk).l2_content == before


@pytest.mark.parametrize("switched", [{"temporary": True}, {"remembers": False}])
def test_a_temporary_or_switched_off_conversation_has_none(alice: Actor, talk: UUID, switched: dict[str, bool]) -> None:
    with workspace(alice.workspace_id):
        Conversation.objects.filter(pk=talk).update(**switched)
    assert archive(alice, talk) is None


def test_a_person_who_switched_remembering_off_has_none(alice: Actor, talk: UUID) -> None:
    with workspace(alice.workspace_id):
        ContextSettings.objects.create(user_id=alice.user_id, remembers=False)
    assert archive(alice, talk) is None


def test_a_short_conversation_has_none(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, *TALK[:3])
    assert archive(alice, talk) is None


def test_it_is_deleted_with_the_conversation_with_its_history(alice: Actor, talk: UUID) -> None:
    row = present(alice, talk)
    with workspace(alice.workspace_id):
        conversation_delete(alice, conversation_id=talk)
        assert not MemNode.objects.filter(uri__startswith=f"mem://sessions/{talk}").exists()
        assert not MemRevision.objects.filter(node_id=row.id).exists()
        assert tree_faults() == []
    run_due_jobs()
    assert stored(alice, talk) is None


def test_what_a_person_wrote_about_the_session_stays_when_it_is_deleted(alice: Actor, talk: UUID) -> None:
    present(alice, talk)
    directory = archive_address(talk).ancestors[-1]
    with workspace(alice.workspace_id):
        note = node_create(alice, draft=NodeDraft(directory.child("note"), "A good talk."))
        conversation_delete(alice, conversation_id=talk)
        assert MemNode.objects.filter(pk=note.id).exists()
    assert stored(alice, talk) is None


def test_words_of_a_permanently_deleted_message_are_in_no_version_of_it(alice: Actor, talk: UUID) -> None:
    say(alice, talk, "And who counts them?")
    present(alice, talk)
    with workspace(alice.workspace_id):
        message_id = Message.objects.get(conversation_id=talk, index=2).id
        message_delete(alice, conversation_id=talk, message_id=message_id)
    row = present(alice, talk)
    with workspace(alice.workspace_id):
        revisions = [str(one.after) for one in MemRevision.objects.filter(node_id=row.id)]
    assert "transactions" not in "".join((row.l2_content, *revisions))


def test_an_excluded_message_leaves_it(alice: Actor, talk: UUID) -> None:
    present(alice, talk)
    with workspace(alice.workspace_id):
        message_id = Message.objects.get(conversation_id=talk, index=2).id
        messages_set_excluded(alice, conversation_id=talk, message_ids=[message_id], excluded=True)
    assert archive(alice, talk) is None
    say(alice, talk, "And who counts them?")
    assert "transactions" not in present(alice, talk).l2_content


def test_a_persons_own_text_of_it_is_not_overwritten(alice: Actor, talk: UUID) -> None:
    row = present(alice, talk)
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=row.id, changes={"content": "About seats."}, version=1)
    say(alice, talk, "We agreed that the desk opens at nine.", "Noted.")
    assert present(alice, talk).l2_content == "About seats."


def test_searches_find_the_messages_and_not_their_archive(alice: Actor, talk: UUID) -> None:
    row = present(alice, talk)
    with workspace(alice.workspace_id):
        assert not Passage.objects.filter(node_id=row.id).exists()
        hits = find(alice, SearchQuery("PostgreSQL transactions", corpus="memories")).hits
    assert row.id not in {hit.id for hit in hits}


def test_only_the_owner_has_it(alice: Actor, bob: Actor, talk: UUID) -> None:
    row = present(alice, talk)
    with workspace(bob.workspace_id):
        assert row.owner_id == alice.person_id != bob.person_id


def test_what_others_wrote_is_nobodys_own_decision_in_it(alice: Actor, bob: Actor, talk: UUID) -> None:
    share(alice, talk, ShareAccess.WRITE)
    assert "## Decisions" not in present(alice, talk).l2_content
    assert "- (decisions) We decided to use PostgreSQL" in present(alice, talk).l2_content
