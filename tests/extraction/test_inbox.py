"""The inbox with quotes: what was said, by whom and where."""

from __future__ import annotations

import re
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import Actor
from apps.common.ids import uuid7
from apps.common.tenancy import workspace
from apps.conversations.models import Message
from apps.conversations.records import MessageDraft
from apps.extraction.models import ExtractionCandidate
from apps.extraction.selectors.inbox import inbox_item_with_quotes, inbox_page_with_quotes, quotes_of
from apps.inbox.records import InboxItem, InboxQuery
from apps.turns.services.messages import messages_store
from tests.conversations.long_conversations import conversation
from tests.extraction.runs import remember
from tests.inbox.inboxes import conflict, memory, message, proposal

pytestmark = pytest.mark.django_db

SECRETARY = "I'm the secretary of the tennis club."


def offered(actor: Actor) -> list[InboxItem]:
    with workspace(actor.workspace_id):
        return inbox_page_with_quotes(actor, InboxQuery(), limit=50).data


@pytest.fixture
def concert(alice: Actor) -> UUID:
    """A conversation in which Bob says something about himself."""
    talk = conversation(alice, title="Concert")
    drafts = [
        MessageDraft("user", "hi all", name="Alice"),
        MessageDraft("user", f"Hi. {SECRETARY}", name="Bob"),
    ]
    with workspace(alice.workspace_id):
        messages_store(alice, conversation_id=talk, drafts=drafts)
    remember(alice, talk)
    return talk


def test_a_proposal_shows_the_exact_words_their_author_and_place(alice: Actor, concert: UUID) -> None:
    [item] = offered(alice)
    [quote] = item.memory.quotes
    assert (quote.text, quote.is_exact, quote.index, quote.name) == (SECRETARY, True, 1, "Bob")
    assert (quote.conversation_id, quote.conversation_title, quote.speaker) == (concert, "Concert", "member")
    assert quote.confidence is not None
    steps = [(step.step, step.value) for step in item.trust_path]
    assert steps == [("speaker", "member"), ("extractor", quote.extractor), ("trust", "tool")]


def test_one_item_has_the_same_quotes_as_the_list(alice: Actor, concert: UUID) -> None:
    [item] = offered(alice)
    with workspace(alice.workspace_id):
        assert inbox_item_with_quotes(alice, item.id) == item


def test_deleted_words_are_not_quoted(alice: Actor, concert: UUID) -> None:
    with workspace(alice.workspace_id):
        Message.objects.filter(conversation_id=concert).update(content="")
    [item] = offered(alice)
    assert item.memory.quotes == ()


def test_words_in_conversations_of_others_are_not_quoted(alice: Actor, bob: Actor, concert: UUID) -> None:
    with workspace(alice.workspace_id):
        ExtractionCandidate.objects.update(node=proposal(bob, "mem://user/events/hers", "Hers."))
    assert [item.memory.quotes for item in offered(bob)] == [()]


def test_a_memory_without_a_candidate_shows_the_beginning_of_its_messages(alice: Actor) -> None:
    talk = conversation(alice, title="Search")
    result = message(alice, talk, "Stripe retries for three days. " * 50, role="tool", name="web_search")
    proposal(alice, "mem://user/events/retries", "Stripe retries.", ("message", result))
    [item] = offered(alice)
    [quote] = item.memory.quotes
    assert (quote.message_id, quote.is_exact, quote.speaker, quote.role) == (result, False, "tool", "tool")
    assert quote.text.startswith("Stripe retries for three days.")
    assert len(quote.text) < 300


def test_a_memory_from_elsewhere_shows_its_source_in_the_trust_path(alice: Actor) -> None:
    proposal(alice, "mem://user/events/note", "A note.", ("import", "notes"), trust="imported")
    [item] = offered(alice)
    assert [(step.step, step.value) for step in item.trust_path] == [("source", "import"), ("trust", "imported")]


def test_what_would_be_replaced_is_quoted_too(alice: Actor, concert: UUID) -> None:
    [item] = offered(alice)
    talk = conversation(alice, title="Earlier")
    words = message(alice, talk, "Alice is the treasurer.")
    earlier = memory(alice, "mem://user/entities/alice/role", "Alice is the treasurer.", ("message", words))
    conflict(alice, earlier, item.memory.id)
    [item] = offered(alice)
    assert [quote.text for quote in item.replaces[0].quotes] == ["Alice is the treasurer."]


def test_the_newest_quotes_of_a_memory_are_shown_and_whole_messages_are_not_read(alice: Actor, concert: UUID) -> None:
    with workspace(alice.workspace_id):
        candidate = ExtractionCandidate.objects.get(outcome="proposed")
        for place in range(8):
            words = f"{'Long. ' * 2000}I'm the treasurer {place}."
            candidate.pk, candidate.message_id = uuid7(), message(alice, concert, words)
            candidate.start, candidate.end = 12_000, 12_000 + len("I'm the treasurer 0")
            candidate.save(force_insert=True)
    [item] = offered(alice)
    assert [quote.text for quote in item.memory.quotes] == [f"I'm the treasurer {place}" for place in (7, 6, 5, 4, 3)]
    with workspace(alice.workspace_id), CaptureQueriesContext(connection) as queries:
        quotes_of(alice, [item.memory])
    read = [query["sql"] for query in queries if "extraction_candidates" in query["sql"]]
    assert read
    assert not [sql for sql in read if re.search(r'(?<!SUBSTRING\()"conversations_message"\."content"', sql)]
