"""Creating, changing and reading memories by address."""

from __future__ import annotations

from dataclasses import replace

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import Role
from apps.common.errors import Conflict, ContinuityError, Forbidden, Invalid, NotFound, Stale, Unprocessable
from apps.common.tenancy import workspace
from apps.engine.memory.addresses import Address
from apps.engine.policy import Policy
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.selectors.revisions import revision_list
from apps.memory.selectors.tree import node_at, node_curve, tree_list
from apps.memory.services.tree.archive import node_archive
from apps.memory.services.tree.create import node_create
from apps.memory.services.tree.edit import node_edit
from tests.memory.trees import at, directory, draft, listed, moment, read, write

pytestmark = pytest.mark.django_db
FACT = moment("2026-02-25T12:00:00+00:00")
LIMIT = "mem://user/entities/acme/rate-limit"
CASE = "mem://agent/cases/sqlite"


def test_a_memory_comes_with_its_directories(alice: Actor) -> None:
    made = write(alice, LIMIT, "100 calls a minute.", occurred_at=FACT)
    assert (made.version, made.category, made.abstract) == (1, "entities", "100 calls a minute.")
    assert (made.owner_id, made.trust, made.inferred, made.last_access) == (alice.user_id, "direct_user", False, FACT)
    assert [(source.kind, source.reference) for source in made.sources] == [("person", str(alice.user_id))]
    assert listed(alice, "mem://user") == ["mem://user/entities"]
    assert listed(alice, "mem://user", depth=3) == ["mem://user/entities", "mem://user/entities/acme", LIMIT]
    assert at(alice, "mem://user/entities/acme").child_count == 1
    with workspace(alice.workspace_id):
        assert tree_faults() == []


def test_an_edit_is_a_revision_and_of_one_version(alice: Actor) -> None:
    made = write(alice, "mem://user/profile/tea")
    with workspace(alice.workspace_id):
        changes = {"content": "Green tea.", "tags": ["tea", "tea"]}
        edited = node_edit(alice, node_id=made.id, changes=changes, version=1, reason="Asked.")
        with pytest.raises(Stale):
            node_edit(alice, node_id=made.id, changes={"content": "Black."}, version=1)
        newest, first = revision_list(alice, made.id, limit=10).data
    assert (edited.version, edited.content, edited.abstract, edited.tags) == (2, "Green tea.", "Green tea.", ("tea",))
    assert (first.operation, first.before, first.actor_name) == ("create", {}, "Alice")
    assert (newest.operation, newest.reason, newest.number, newest.undone) == ("edit", "Asked.", 2, False)
    assert newest.fields == ("l0_abstract", "l1_overview", "l2_content", "tags")
    assert [(line.kind, line.text) for line in newest.hunks[0]] == [
        ("removed", "Something to remember."),
        ("added", "Green tea."),
    ]


def test_an_edit_that_changes_nothing_makes_no_version(alice: Actor) -> None:
    made = write(alice, "mem://user/profile/tea")
    with workspace(alice.workspace_id):
        edited = node_edit(alice, node_id=made.id, changes={"content": made.content}, version=1)
    assert edited.version == 1


def test_a_persons_abstract_remains_until_the_content_changes(alice: Actor) -> None:
    made = write(alice, "mem://user/profile/tea", "Green tea.", abstract="Tea")
    with workspace(alice.workspace_id):
        tagged = node_edit(alice, node_id=made.id, changes={"tags": ["x"]}, version=1)
        told = node_edit(alice, node_id=made.id, changes={"content": "Black tea."}, version=2)
    assert [(one.abstract, one.tiers_by) for one in (made, tagged, told)] == [
        *[("Tea", "person")] * 2,
        ("Black tea.", "offline"),
    ]


@pytest.mark.parametrize(
    ("uri", "content", "error", "code"),
    [
        ("mem://user/events", "x", Unprocessable, "tree_refused"),
        ("mem://user/nonsense/x", "x", Invalid, "bad_address"),
        ("mem://user/profile/tea", " \n", Unprocessable, "empty_memory"),
        ("mem://user/profile/tea", "a\x00b", Unprocessable, "unstorable"),
        (f"{LIMIT}/below", "x", Unprocessable, "tree_refused"),
        (LIMIT, "x", Conflict, "address_taken"),
    ],
)
def test_what_no_memory_can_be_is_refused_with_its_reason(
    alice: Actor, uri: str, content: str, error: type[ContinuityError], code: str
) -> None:
    write(alice, LIMIT)
    with workspace(alice.workspace_id), pytest.raises(error) as refused:
        node_create(alice, draft=draft(uri, content))
    assert refused.value.code == code
    with workspace(alice.workspace_id):
        assert tree_faults() == []


def test_a_directory_has_no_content_of_its_own(alice: Actor) -> None:
    made = directory(alice, "mem://user/entities/acme")
    with workspace(alice.workspace_id):
        with pytest.raises(Unprocessable):
            node_create(alice, draft=draft("mem://user/entities/beta", "x", is_directory=True))
        with pytest.raises(Unprocessable):
            node_edit(alice, node_id=made.id, changes={"content": "x"}, version=1)


def test_a_root_without_anything_is_empty_and_anything_else_absent(alice: Actor) -> None:
    assert listed(alice, "mem://agent/cases") == []
    with workspace(alice.workspace_id), pytest.raises(NotFound):
        tree_list(alice, Address("mem://user/entities/acme"), limit=10)


def test_one_sees_ones_own_and_the_teams_and_nothing_of_others(alice: Actor, bob: Actor, charlie: Actor) -> None:
    hers = write(alice, "mem://user/profile/tea")
    private, shared = write(alice, f"{CASE}-private"), write(alice, CASE, shared=True)
    assert read(bob, shared.id).shared
    for other in (bob, charlie):
        for made in (hers, private):
            with workspace(other.workspace_id), pytest.raises(NotFound):
                node_edit(other, node_id=made.id, changes={"content": "Mine."}, version=1)
    assert listed(bob, "mem://agent/cases") == [CASE]
    assert listed(alice, "mem://agent/cases") == [CASE, f"{CASE}-private"]
    with workspace(charlie.workspace_id), pytest.raises(NotFound):
        node_at(charlie, Address(CASE))


def test_ones_own_comes_before_the_teams_at_the_same_address(alice: Actor, bob: Actor) -> None:
    write(alice, CASE, "The team's.", shared=True)
    write(bob, CASE, "Bob's.")
    assert (at(bob, CASE).content, at(alice, CASE).content) == ("Bob's.", "The team's.")
    assert listed(bob, "mem://agent/cases") == [CASE, CASE]
    assert listed(bob, "mem://agent") == ["mem://agent/cases"]
    with workspace(bob.workspace_id):
        (line,) = tree_list(bob, Address("mem://agent"), limit=10).data
    assert line.child_count == 2


def test_what_the_team_has_is_written_by_curators_and_its_author(alice: Actor, bob: Actor) -> None:
    shared = write(alice, CASE, shared=True)
    curator = replace(bob, role=Role.CURATOR)
    his = write(curator, f"{CASE}-2", shared=True)
    with workspace(bob.workspace_id):
        for draft_of_team in (draft("mem://agent/cases/x", shared=True),):
            with pytest.raises(Forbidden):
                node_create(bob, draft=draft_of_team)
        with pytest.raises(Forbidden):
            node_edit(bob, node_id=shared.id, changes={"content": "Bob's."}, version=1)
        assert node_edit(bob, node_id=his.id, changes={"content": "Bob's."}, version=1).version == 2
        node_archive(bob, node_id=his.id)
        viewer = replace(bob, role=Role.VIEWER)
        with pytest.raises(Forbidden):
            node_create(viewer, draft=draft("mem://user/profile/tea"))
    with workspace(alice.workspace_id), pytest.raises(Unprocessable):
        node_create(alice, draft=draft("mem://user/profile/tea", shared=True))


def test_long_listings_come_in_pages_without_a_gap(alice: Actor, bob: Actor) -> None:
    names = sorted(f"mem://agent/cases/{letter}" for letter in "abcdef")
    for place, uri in enumerate(names):
        write(alice, uri, shared=True)
        if place % 2:
            write(bob, uri)
    for depth, root in ((1, "mem://agent/cases"), (2, "mem://agent")):
        seen: list[str] = []
        after: str | None = None
        with workspace(bob.workspace_id):
            while True:
                page = tree_list(bob, Address(root), depth=depth, after=after, limit=2)
                seen += [line.uri for line in page.data if line.uri != "mem://agent/cases"]
                if (after := page.next_cursor) is None:
                    break
        assert seen == sorted([*names, *names[1::2]])


def test_the_archive_is_listed_where_it_is_asked_for(alice: Actor) -> None:
    made = write(alice, LIMIT)
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=made.id)
    assert listed(alice, "mem://user/entities/acme") == []
    assert listed(alice, "mem://user/entities/acme", archived=True) == [LIMIT]
    assert at(alice, "mem://user/entities/acme").child_count == 0


def test_relevance_falls_from_the_facts_date_but_not_how_one_works_together(alice: Actor) -> None:
    old = write(alice, "mem://user/events/fair", occurred_at=moment("2020-01-01T00:00:00+00:00"))
    together = write(alice, "mem://user/profile/communication", occurred_at=moment("2020-01-01T00:00:00+00:00"))
    assert (old.relevance, together.relevance) == (0.1, 1.0)
    fresh = write(alice, "mem://user/events/today")
    with workspace(alice.workspace_id):
        curve = node_curve(fresh, Policy())
    assert curve[0].relevance == pytest.approx(1, abs=0.01)
    assert [point.relevance for point in curve] == sorted((point.relevance for point in curve), reverse=True)
