"""The memory tree in the console: every write goes through the services, with a revision by the operator."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client

from apps.accounts.actors import Actor
from apps.accounts.models import OperatorAccess, User
from apps.accounts.services.operator_access import acting
from apps.common.tenancy import NoWorkspace, every_workspace, workspace
from apps.engine.memory.addresses import Address
from apps.memory.models import MemNode, MemRevision, MemTombstone, Passage
from apps.memory.services.tree.archive import node_archive
from apps.memory.services.tree.create import node_create
from apps.memory.services.tree.edit import node_edit
from apps.memory.services.tree.node_drafts import NodeDraft
from tests.console.test_changes import act, errors, fresh, save
from tests.console.test_pages import url

Answer = Any


def write(actor: Actor, address: str, content: str, **more: Any) -> MemNode:
    """Create a memory by hand."""
    with workspace(actor.workspace_id):
        made = node_create(actor, draft=NodeDraft(Address(address), content, **more))
        return MemNode.objects.get(pk=made.id)


def at(address: str) -> MemNode:
    with every_workspace():
        return MemNode.objects.select_related("parent").get(uri=address)


def newest(node: MemNode) -> MemRevision:
    with every_workspace():
        return MemRevision.objects.filter(node_id=node.pk).latest("number")


def told(response: Answer) -> str:
    """Return the page's messages to the operator."""
    return " ".join(str(message) for message in response.context["messages"])


def choose(console: Client, action: str, *nodes: MemNode, **more: object) -> Answer:
    data = {"action": action, "_selected_action": [str(node.pk) for node in nodes], **more}
    return console.post(url(MemNode, "changelist"), data, follow=True)


def draft(actor: Actor, **fields: object) -> dict[str, object]:
    usual = {"workspace": actor.workspace_id, "owner": actor.user_id, "node_type": "leaf", "l2_content": "Green tea."}
    return {**usual, **fields}


def staff(client: Client, *codes: str) -> Client:
    """Return a client of an operator with only these permissions."""
    person = User.objects.create_user("rita@example.org", "correct horse battery", is_staff=True)
    person.user_permissions.set(Permission.objects.filter(codename__in=codes))
    client.force_login(person)
    return client


def test_a_memory_is_added_with_the_directories_above_it_in_the_operators_name(
    console: Client, operator: User, alice: Actor
) -> None:
    console.post(url(MemNode, "add"), draft(alice, uri="mem://user/preferences/tea", reason="She asked by mail"))
    node = at("mem://user/preferences/tea")
    assert (node.owner_id, node.workspace_id, node.author_id) == (alice.user_id, alice.workspace_id, operator.pk)
    assert node.parent is not None and (node.parent.uri, node.parent.node_type) == ("mem://user/preferences", "dir")
    made = newest(node)
    assert (made.operation, made.actor_id, made.reason) == ("create", operator.pk, "She asked by mail")
    with every_workspace():
        assert Passage.objects.filter(node_id=node.pk, bank=alice.user_id).exists()


def test_without_an_owner_it_is_the_whole_workspaces(console: Client, alice: Actor) -> None:
    console.post(url(MemNode, "add"), draft(alice, owner="", uri="mem://agent/patterns/retries"))
    assert at("mem://agent/patterns/retries").owner_id is None


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"uri": "https://example.org"}, "must begin with mem://"),
        ({"uri": "mem://user//tea"}, "must not be empty"),
        ({"uri": "mem://user/elsewhere"}, "must be inside"),
        ({"uri": "mem://user/events"}, "cannot be changed"),
        ({"uri": "mem://user/preferences/cake"}, "already exists"),
        ({"uri": "mem://user/preferences/tea", "owner": ""}, "Only memories in mem://agent"),
        ({"uri": "mem://user/preferences/tea", "l2_content": " "}, "needs content"),
        ({"uri": "mem://user/preferences/cake/now"}, "a folder can contain"),
        ({"uri": "mem://user/preferences/tea", "node_type": "dir"}, "cannot have content"),
    ],
)
def test_an_invalid_value_is_shown_on_the_form_and_nothing_is_written(
    fields: dict[str, object], says: str, console: Client, alice: Actor
) -> None:
    write(alice, "mem://user/preferences/cake", "Carrot cake.")
    with every_workspace():
        before = set(MemNode.objects.values_list("pk", flat=True))
    response = console.post(url(MemNode, "add"), draft(alice, **fields))
    assert says in str(errors(response))
    assert str(fields["uri"]) in response.content.decode()
    with every_workspace():
        assert set(MemNode.objects.values_list("pk", flat=True)) == before


def test_a_memory_is_not_added_for_who_is_no_member(console: Client, alice: Actor, charlie: Actor) -> None:
    response = console.post(url(MemNode, "add"), draft(alice, owner=charlie.user_id, uri="mem://user/preferences/tea"))
    assert errors(response) == {"owner": ["This person is not a member of the workspace."]}


def test_a_correction_is_a_revision_of_the_operators_with_the_reason(
    console: Client, operator: User, alice: Actor
) -> None:
    node = write(alice, "mem://user/preferences/tea", "Green tea.")
    save(console, node, l2_content="Black tea.", tags="drinks, mornings", reason="She said so")
    row: MemNode = fresh(node)
    assert (row.l2_content, row.l0_abstract, row.tags, row.version) == (
        "Black tea.",
        "Black tea.",
        ["drinks", "mornings"],
        2,
    )
    revision = newest(node)
    assert (revision.operation, revision.actor_id, revision.reason) == ("edit", operator.pk, "She said so")
    assert (revision.before["l2_content"], revision.after["l2_content"]) == ("Green tea.", "Black tea.")


def test_an_own_abstract_stays(console: Client, alice: Actor) -> None:
    node = write(alice, "mem://user/preferences/tea", "Green tea.")
    save(console, node, l0_abstract="Likes tea.")
    row: MemNode = fresh(node)
    assert (row.l0_abstract, row.tiers_by, row.l2_content) == ("Likes tea.", "person", "Green tea.")


def test_a_concurrent_change_is_not_overwritten_and_the_input_is_preserved(console: Client, alice: Actor) -> None:
    node = write(alice, "mem://user/preferences/tea", "Green tea.")
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=node.pk, changes={"content": "White tea."}, version=1)
    response = save(console, node, l2_content="Black tea.", seen_version=1)
    assert "was changed elsewhere" in str(errors(response))
    assert "Black tea." in response.content.decode()
    assert fresh(node).l2_content == "White tea."


def test_another_address_moves_it_and_a_refused_one_leaves_all_as_it_was(console: Client, alice: Actor) -> None:
    node = write(alice, "mem://user/preferences/tea", "Green tea.")
    write(alice, "mem://user/preferences/coffee", "No coffee.")
    response = save(console, node, uri="mem://user/preferences/coffee", l2_content="Black tea.")
    assert "A memory already has this address" in str(errors(response))
    row: MemNode = fresh(node)
    assert (row.uri, row.l2_content, row.version) == ("mem://user/preferences/tea", "Green tea.", 1)
    save(console, node, uri="mem://user/preferences/drinks", l2_content="Black tea.")
    row = fresh(node)
    assert (row.uri, row.l2_content, row.version) == ("mem://user/preferences/drinks", "Black tea.", 3)
    assert newest(node).operation == "move"


def test_memories_go_into_the_archive_with_what_is_below_and_come_out_again(
    console: Client, operator: User, alice: Actor, charlie: Actor
) -> None:
    fact = write(alice, "mem://user/entities/acme/city", "Acme is in Lisbon.")
    other = write(charlie, "mem://user/events/fair", "The fair was loud.")
    directory = at("mem://user/entities/acme")
    response = choose(console, "archive", directory, fact, other, reason="Tidying up")
    assert told(response) == "2 archived, with their contents."
    assert [fresh(node).archived_at is None for node in (directory, fact, other)] == [False, False, False]
    revision = newest(fact)
    assert (revision.operation, revision.actor_id, revision.reason) == ("archive", operator.pk, "Tidying up")
    with every_workspace():
        assert not Passage.objects.filter(node_id__in=[fact.pk, other.pk]).exists()
    assert told(choose(console, "restore", directory, fact, other)) == "2 unarchived."
    assert fresh(fact).archived_at is None
    assert newest(fact).reason == "By an operator in the admin console."


def test_proposed_memories_are_approved_and_others_left(console: Client, operator: User, alice: Actor) -> None:
    waiting = write(alice, "mem://user/events/fair", "Bob: The fair was loud.")
    other = write(alice, "mem://user/events/concert", "The concert was long.")
    with every_workspace():
        MemNode.objects.filter(pk=waiting.pk).update(arrival="proposed", trust="tool")
    assert told(choose(console, "approve", waiting, other, reason="Bob was there")) == "1 approved."
    row: MemNode = fresh(waiting)
    assert (row.arrival, row.trust, row.version) == ("accepted", "direct_user", 2)
    revision = newest(waiting)
    assert (revision.operation, revision.actor_id, revision.reason) == ("approve", operator.pk, "Bob was there")
    assert newest(other).operation == "create"


def test_a_refused_row_is_reported_and_the_others_are_processed(console: Client, alice: Actor) -> None:
    fact = write(alice, "mem://user/events/fair", "The fair was loud.")
    response = choose(console, "archive", at("mem://user/events"), fact)
    assert "1 archived" in told(response)
    assert "mem://user/events: Top-level folders cannot be changed." in told(response)


def test_archived_memories_and_roots_are_read_only(console: Client, alice: Actor) -> None:
    fact = write(alice, "mem://user/events/fair", "The fair was loud.")
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=fact.pk)
    for node in (fact, at("mem://user/events")):
        page = url(MemNode, "change", node.pk)
        assert console.get(page).status_code == 200
        assert console.post(page, {"l2_content": "Something else."}).status_code == 403


def test_a_memory_is_shared_with_the_workspace_and_one_of_a_person_is_not(console: Client, alice: Actor) -> None:
    pattern = write(alice, "mem://agent/patterns/retries", "Retry twice.")
    tea = write(alice, "mem://user/preferences/tea", "Green tea.")
    response = choose(console, "share", pattern, tea)
    assert "1 shared" in told(response)
    assert "mem://user/preferences/tea: Only memories in mem://agent" in told(response)
    assert (fresh(pattern).owner_id, fresh(tea).owner_id) == (None, alice.user_id)


def test_a_change_is_taken_back_from_its_revision(console: Client, operator: User, alice: Actor) -> None:
    node = write(alice, "mem://user/preferences/tea", "Green tea.")
    save(console, node, l2_content="Black tea.")
    edit = newest(node)
    assert told(act(console, "undo", edit)) == "1 change undone."
    assert fresh(node).l2_content == "Green tea."
    assert (newest(node).operation, newest(node).undoes, newest(node).actor_id) == ("undo", edit.change, operator.pk)
    assert "changed again later" in told(act(console, "undo", edit))


def test_a_memorys_page_shows_its_history_and_a_revision_the_difference(console: Client, alice: Actor) -> None:
    node = write(alice, "mem://user/preferences/tea", "Green tea.")
    save(console, node, l2_content="Black tea.", reason="She said <b>so</b>")
    shown = console.get(url(MemNode, "change", node.pk)).content.decode()
    assert "She said &lt;b&gt;so&lt;/b&gt;" in shown and "olga@example.org" in shown
    assert "0.79 in 30 days" in shown
    page = console.get(url(MemRevision, "change", newest(node).pk)).content.decode()
    lines = re.findall(r'<tr class="console-(\w+)">.*?<td>([^<]*)</td></tr>', page)
    assert lines == [("removed", "Green tea."), ("added", "Black tea.")]


def test_a_list_is_searched_by_the_beginning_of_an_address_and_filtered(console: Client, alice: Actor) -> None:
    tea, fair = write(alice, "mem://user/preferences/tea", "x"), write(alice, "mem://user/events/fair", "y")
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=fair.pk)

    def shown(**query: str) -> list[bool]:
        page = console.get(url(MemNode, "changelist"), query).content.decode()
        return [url(MemNode, "change", node.pk) in page for node in (tea, fair)]

    assert shown(q="mem://user/pref") == [True, False]
    assert shown(archived_at__isempty="0") == [False, True]
    assert shown(archived_at__isempty="1") == [True, False]
    assert shown(trust__exact="imported") == [False, False]
    listed = console.get(url(MemNode, "changelist")).content.decode()
    assert all(text in listed for text in ("By archived", "By trust", "said by a person"))
    assert "direct_user" not in re.sub(r'value="direct_user"', "", listed)
    assert "direct user" not in listed
    assert shown(category__exact="events", author__id__exact=str(alice.user_id)) == [False, True]


def test_erasing_asks_first_and_leaves_only_that_it_was_done(console: Client, operator: User, alice: Actor) -> None:
    fact = write(alice, "mem://user/entities/acme/city", "Acme is in Lisbon.")
    directory = at("mem://user/entities/acme")
    asked = choose(console, "erase", directory, fact)
    assert asked.context["preview"].count == 2
    assert "mem://user/entities/acme/city" in asked.content.decode()
    assert fresh(fact).archived_at is None
    assert (
        told(choose(console, "erase", directory, fact, post="erase")) == "1 permanently deleted, with their contents."
    )
    with every_workspace():
        assert not MemNode.objects.filter(pk__in=[fact.pk, directory.pk]).exists()
        assert set(MemTombstone.objects.values_list("erased_by", flat=True)) == {operator.pk}
        assert not MemRevision.objects.filter(node_id=fact.pk).exists()


def test_a_refused_deletion_is_reported_and_descendants_are_counted(console: Client, alice: Actor) -> None:
    fact = write(alice, "mem://user/entities/acme/city", "Acme is in Lisbon.")
    preview = choose(console, "erase", at("mem://user/entities"), at("mem://user/entities/acme"), fact).context[
        "preview"
    ]
    assert (preview.count, preview.named) == (2, ["mem://user/entities/acme", fact.uri])
    assert preview.refused == ["mem://user/entities: Top-level folders cannot be changed."]


def test_a_memory_is_erased_from_its_own_page_and_a_root_is_not(console: Client, alice: Actor) -> None:
    fact = write(alice, "mem://user/events/fair", "The fair was loud.")
    page = url(MemNode, "delete", fact.pk)
    assert "mem://user/events/fair" in console.get(page).content.decode()
    console.post(page, {"post": "yes"})
    with every_workspace():
        assert not MemNode.objects.filter(pk=fact.pk).exists()
    assert console.post(url(MemNode, "delete", at("mem://user/events").pk), {"post": "yes"}).status_code == 403


def test_who_may_not_delete_erases_nothing(client: Client, alice: Actor) -> None:
    fact = write(alice, "mem://user/events/fair", "The fair was loud.")
    curator = staff(client, "view_memnode", "change_memnode")
    choose(curator, "erase", fact, post="erase")
    assert curator.post(url(MemNode, "delete", fact.pk), {"post": "yes"}).status_code == 403
    assert fresh(fact).pk == fact.pk


@pytest.mark.parametrize("action", ["approve", "archive", "restore", "merge", "share", "reembed", "erase"])
def test_who_may_only_read_does_nothing(action: str, client: Client, alice: Actor) -> None:
    pattern = write(alice, "mem://agent/patterns/retries", "Retry twice.")
    auditor = staff(client, "view_memnode", "view_memrevision")
    choose(auditor, action, pattern, post="erase")
    act(auditor, "undo", newest(pattern))
    page = url(MemNode, "change", pattern.pk)
    assert auditor.get(page).status_code == 200
    assert auditor.post(page, {"l2_content": "Never."}).status_code == 403
    row: MemNode = fresh(pattern)
    assert (row.version, row.l2_content, row.owner_id) == (1, "Retry twice.", alice.user_id)


def test_the_access_record_names_person_and_page_but_no_content(console: Client, operator: User, alice: Actor) -> None:
    node = write(alice, "mem://user/preferences/tea", "Green tea.")
    save(console, node, l2_content="A very private sentence", uri="mem://user/preferences/secret")
    page = url(MemNode, "change", node.pk)
    assert OperatorAccess.objects.filter(user=operator, reason=f"console: POST {page}").count() == 1
    entry = LogEntry.objects.latest("id")
    assert entry.object_repr == f"memory node {node.pk}"
    assert "private" not in entry.change_message and "secret" not in entry.change_message


def test_an_operator_acts_only_in_a_unit_that_is_on_record(operator: User, alice: Actor) -> None:
    with pytest.raises(NoWorkspace), acting(operator.pk, workspace_id=alice.workspace_id):
        pass
    with workspace(alice.workspace_id), pytest.raises(NoWorkspace):
        acting(operator.pk, workspace_id=alice.workspace_id).__enter__()
