"""Sessions and the profile over HTTP."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.selectors.session_archives import archive_address
from apps.compaction.services.archive.scheduling import KIND
from apps.jobs.models import DueJob
from apps.memory.models import MemNode
from tests.api.callers import Caller
from tests.compaction.runs import run_due_jobs
from tests.conversations.long_conversations import conversation, say
from tests.memory.facts import learn, learned

pytestmark = pytest.mark.django_db(transaction=True)
TALK = (
    "I prefer tabs over spaces. How do we store bookings?",
    "In PostgreSQL, I would say.",
    "We decided to use PostgreSQL because it has transactions.",
    "Good. Then the seats can be counted in one place.",
)


@pytest.fixture
def talk(alice: Actor) -> UUID:
    """A conversation that was read for memories and archived."""
    conversation_id = conversation(alice, title="Bookings", external_id="session-7f3a")
    say(alice, conversation_id, *TALK)
    Caller(alice).post(f"/conversations/{conversation_id}/extraction", {}, 202)
    DueJob.objects.filter(kind=KIND).update(due_at=timezone.now())
    run_due_jobs()
    return conversation_id


def test_a_session_is_listed_with_the_abstract_and_address_of_its_archive(alice: Actor, talk: UUID) -> None:
    later = conversation(alice, title="Later")
    first, second = Caller(alice).get("/sessions")["data"]
    assert (first["id"], first["archive"]) == (str(later), None)
    assert (second["id"], second["external_id"], second["message_count"]) == (str(talk), "session-7f3a", 4)
    assert second["archive"]["uri"] == archive_address(talk).text
    assert second["archive"]["abstract"].startswith("Bookings: ")


def test_pages_contain_every_session_once_newest_first(alice: Actor) -> None:
    talks = [str(conversation(alice, title=f"Talk {number}")) for number in range(5)]
    pages = Caller(alice).pages("/sessions", 2)
    assert [len(page) for page in pages] == [2, 2, 1]
    assert [one["id"] for page in pages for one in page] == talks[::-1]


def test_a_session_says_what_was_remembered_and_links_to_its_messages(alice: Actor, talk: UUID) -> None:
    caller = Caller(alice)
    session = caller.get(f"/sessions/{talk}")
    assert session["archive"]["overview"].startswith("# Bookings")
    assert "content" not in session and "data" not in session
    assert session["memories"] and not session["has_more_memories"]
    for memory in session["memories"]:
        assert caller.get(memory["url"].removeprefix("/api"))["uri"] == memory["uri"]
    links = {name: address.removeprefix("/api") for name, address in session["links"].items()}
    assert [message["content"] for message in caller.get(links["messages"])["data"]] == list(TALK)
    assert [one["memory_id"] for one in caller.get(links["memories"])["data"]] == [
        one["memory_id"] for one in session["memories"]
    ]
    assert caller.get(links["session_context"])["conversation_id"] == str(talk)


def test_a_guest_sees_a_session_but_not_the_owners_memories(alice: Actor, bob: Actor, talk: UUID) -> None:
    Caller(alice).post(f"/conversations/{talk}/shares", {"email": "bob@example.org", "access": "read"})
    session = Caller(bob).get(f"/sessions/{talk}")
    assert (session["title"], session["access"], session["archive"], session["memories"]) == (
        "Bookings",
        "read",
        None,
        [],
    )
    assert [one["archive"] for one in Caller(bob).get("/sessions")["data"]] == [None]


def test_a_stranger_sees_no_session(bob: Actor, charlie: Actor, talk: UUID) -> None:
    for actor in (bob, charlie):
        assert Caller(actor).get("/sessions")["data"] == []
        assert Caller(actor).get(f"/sessions/{talk}", 404)["code"] == "not_found"


def test_the_archive_of_a_conversation_that_goes_on_does_not_fade_from_its_beginning(alice: Actor, talk: UUID) -> None:
    with workspace(alice.workspace_id):
        archive = MemNode.objects.filter(uri=archive_address(talk).text)
        archive.update(last_access="2026-01-01T00:00Z", occurred_at="2026-01-01T00:00Z")
    say(alice, talk, "We decided to open in May because of the season.", "Noted: May.")
    DueJob.objects.filter(kind=KIND).update(due_at=timezone.now())
    run_due_jobs()
    with workspace(alice.workspace_id):
        row = archive.get()
    assert "May" in row.l2_content and row.last_access == row.occurred_at > row.created_at


def test_the_profile_has_user_memory_and_the_memories_that_hold_now(alice: Actor, bob: Actor) -> None:
    caller = Caller(alice)
    caller.post("/user-memory", {"type": "fact", "key": "city", "content": "Lives in Oslo."})
    caller.post("/user-memory", {"type": "constraint", "key": "language", "content": "Answer in English."})
    caller.post("/memories", {"uri": "mem://user/profile/coding-style", "content": "Writes small functions."})
    caller.post("/memories", {"uri": "mem://user/profile/communication", "content": "Prefers short answers."})
    caller.post("/memories", {"uri": "mem://user/events/release", "content": "We released."})
    learn(alice, learned("Rome", 1))
    learn(alice, learned("Oslo", 2))
    profile = caller.get("/profile")
    assert [item["key"] for item in profile["user_memory"]] == ["language", "city"]
    abstracts = [one["abstract"] for one in profile["memories"]]
    assert abstracts == ["Prefers short answers.", "Writes small functions.", "I live in Oslo"]
    assert all(one["sources"] for one in profile["memories"])
    assert Caller(bob).get("/profile") == {"user_memory": [], "memories": []}
