"""Bulk creation, export and import of memories."""

from __future__ import annotations

import json

import pytest

from apps.accounts.actors import Actor
from apps.common.errors import Invalid, NotFound, TooLarge
from apps.common.tenancy import workspace
from apps.engine.memory.addresses import Address
from apps.engine.memory.trust import Trust
from apps.memory.models import MemNode, MemRevision, Passage
from apps.memory.records.tree import ItemResult, SourceRecord
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.services.bulk.create import nodes_create_bulk
from apps.memory.services.bulk.export import subtree_json, subtree_markdown
from apps.memory.services.bulk.import_ import ImportItem, items_of_json, items_of_markdown, tree_import
from apps.memory.services.tree.archive import node_archive
from apps.memory.services.tree.node_drafts import NodeDraft
from apps.memory.services.tree.undo.change_undo import change_undo
from tests.memory.trees import at, directory, draft, listed, moment, write

pytestmark = pytest.mark.django_db
ACME = "mem://user/entities/acme"


def bulk(actor: Actor, *drafts: NodeDraft) -> list[ItemResult]:
    with workspace(actor.workspace_id):
        results = nodes_create_bulk(actor, drafts=drafts)
        assert tree_faults() == []
    return results


def bring(actor: Actor, items: list[ImportItem], at_: str | None = None) -> list[ItemResult]:
    with workspace(actor.workspace_id):
        results = tree_import(actor, items=items, at=Address(at_) if at_ else None, confirmed=True)
        assert tree_faults() == []
    return results


def test_an_invalid_item_stops_no_other_and_each_has_its_reason(alice: Actor, bob: Actor) -> None:
    write(alice, f"{ACME}/taken", "Stands.")
    results = bulk(
        bob,
        draft(f"{ACME}/a", "A."),
        draft(f"{ACME}/a", "Again."),
        draft(f"{ACME}/a/below"),
        draft("mem://user/events"),
        draft("mem://user/nonsense/x"),
        draft(f"{ACME}/empty", " "),
        draft("mem://agent/cases/x", shared=True),
        draft(f"{ACME}/tag", tags=["x" * 65]),
        draft(f"{ACME}/long", abstract="x" * 4_000),
        draft(f"{ACME}/b", "B."),
    )
    assert [one.position for one in results] == list(range(10))
    assert [one.code for one in results] == [
        "",
        "duplicate",
        "tree_refused",
        "tree_refused",
        "bad_address",
        "empty_memory",
        "curators_only",
        "bad_tag",
        "abstract_too_long",
        "",
    ]
    assert listed(bob, ACME) == [f"{ACME}/a", f"{ACME}/b"]


def test_by_hand_it_only_adds(alice: Actor) -> None:
    write(alice, f"{ACME}/same", "Same.")
    write(alice, f"{ACME}/other", "Stands.")
    gone = write(alice, f"{ACME}/gone")
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=gone.id)
    drafts = [draft(f"{ACME}/{name}", content) for name, content in (("same", "Same."), ("other", "x"), ("gone", "x"))]
    results = bulk(alice, *drafts, draft(f"{ACME}/same/below"), draft(f"{ACME}/sub", "", is_directory=True))
    assert [(one.state, one.code) for one in results] == [
        ("unchanged", ""),
        ("refused", "address_taken"),
        ("refused", "address_taken"),
        ("refused", "tree_refused"),
        ("created", ""),
    ]
    assert at(alice, f"{ACME}/other").content == "Stands."


def test_a_thousand_are_one_change_with_revisions_sources_and_passages(alice: Actor) -> None:
    drafts = [draft(f"mem://user/events/{number:04}", f"Event number {number} took place.") for number in range(1_000)]
    assert {one.state for one in bulk(alice, *drafts)} == {"created"}
    with workspace(alice.workspace_id):
        assert MemRevision.objects.values("change").distinct().count() == 1
        assert Passage.objects.filter(node__isnull=False).count() == 1_000
        stale = [row.uri for row in MemNode.objects.filter(node_type="leaf") if row.tiers_of != row.content_hash]
        assert stale == []
        one = MemRevision.objects.get(node_id=at(alice, "mem://user/events/0007").id)
        change_undo(alice, node_id=one.node_id, change_id=one.change)
        assert tree_faults() == []
    assert listed(alice, "mem://user", depth=9) == ["mem://user/events"]
    with pytest.raises(TooLarge):
        bulk(alice, *drafts, draft("mem://user/events/more"))


def test_an_import_is_trusted_less_and_overwrites_nothing_that_is_trusted_more(alice: Actor) -> None:
    write(alice, f"{ACME}/hers", "Hers.")
    items = [
        ImportItem("", draft(f"{ACME}/hers", "Theirs.")),
        ImportItem("", draft(f"{ACME}/new", "New."), Trust.DIRECT_USER),
        ImportItem("", draft(f"{ACME}/low", "Low."), Trust.TOOL),
    ]
    assert [(one.state, one.code) for one in bring(alice, items)] == [
        ("refused", "trusted_more"),
        ("created", ""),
        ("created", ""),
    ]
    new, low = at(alice, f"{ACME}/new"), at(alice, f"{ACME}/low")
    assert (new.trust, new.arrival, new.base_relevance) == ("model_inference", "accepted", 0.8)
    assert (low.trust, low.arrival) == ("tool", "proposed")
    assert [source.kind for source in new.sources] == ["import"]
    again = bring(alice, [ImportItem("", draft(f"{ACME}/new", "Newer.")), ImportItem("", draft(f"{ACME}/low", "Low."))])
    assert [one.state for one in again] == ["updated", "unchanged"]
    assert (at(alice, f"{ACME}/new").content, at(alice, f"{ACME}/new").version) == ("Newer.", 2)


def full_tree(actor: Actor) -> None:
    content = "# mem://user/fake\n\n\\# mem://twice\n\n-->\n\nFrom -- to --> and <b>.\n\n```\ncode\n```"
    date = moment("2026-02-25T10:00:00.123456+00:00")
    source = SourceRecord("message", "01a20077-eedd-7a52-9079-c9fae50639c6")
    write(actor, f"{ACME}/rate", content, tags=["a-->b", "ü"], occurred_at=date, sources=[source], abstract="By hand")
    write(actor, f"{ACME}/burst", "20 at once.", occurred_at=date)
    directory(actor, f"{ACME}/empty", occurred_at=date)


@pytest.mark.parametrize("form", ["json", "markdown"])
def test_an_export_can_be_imported_again(alice: Actor, bob: Actor, form: str) -> None:
    full_tree(alice)
    told, read = (subtree_json, items_of_json) if form == "json" else (subtree_markdown, items_of_markdown)
    text = "".join(told(alice, Address(ACME)))
    results = bring(bob, read(text))
    assert [(one.uri, one.state) for one in results] == [
        (ACME, "created"),
        (f"{ACME}/burst", "created"),
        (f"{ACME}/empty", "created"),
        (f"{ACME}/rate", "created"),
    ]
    for name in ("rate", "burst", "empty"):
        hers, his = at(alice, f"{ACME}/{name}"), at(bob, f"{ACME}/{name}")
        for field in ("content", "abstract", "overview", "tags", "occurred_at", "node_type"):
            assert getattr(hers, field) == getattr(his, field)
    assert [source.kind for source in at(bob, f"{ACME}/rate").sources] == ["message", "import"]
    assert {one.state for one in bring(bob, read(text))} == {"unchanged"}


def test_a_file_can_be_put_elsewhere(alice: Actor) -> None:
    full_tree(alice)
    items = items_of_json("".join(subtree_json(alice, Address(ACME))))
    assert {one.state for one in bring(alice, items, "mem://user/entities/copy")} == {"created"}
    assert listed(alice, "mem://user/entities/copy") == [
        f"mem://user/entities/copy/{name}" for name in ("burst", "empty", "rate")
    ]


def test_an_export_contains_only_active_and_visible_memories(alice: Actor, bob: Actor) -> None:
    gone = write(alice, f"{ACME}/gone")
    write(alice, f"{ACME}/rate")
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=gone.id)
    told = json.loads("".join(subtree_json(alice, Address("mem://user"))))
    assert [node["uri"] for node in told["nodes"]] == [ACME, f"{ACME}/rate"]
    assert json.loads("".join(subtree_json(bob, Address("mem://user"))))["nodes"] == []
    with pytest.raises(NotFound):
        list(subtree_json(bob, Address(ACME)))


def test_a_foreign_file_is_refused_and_an_invalid_item_is_reported(alice: Actor) -> None:
    for text in ("{", "7", '{"format": "another"}', '{"nodes": 1}'):
        with pytest.raises(Invalid):
            items_of_json(text)
    nodes = [{"uri": 7}, {"uri": "http://x"}, {"uri": f"{ACME}/a", "content": 7}, {"uri": f"{ACME}/b", "trust": "x"}]
    nodes += [7, {"uri": f"{ACME}/c", "content": "C."}]
    results = bring(alice, items_of_json(json.dumps(nodes)))
    assert [(one.position, one.state, one.code) for one in results] == [
        *((place, "refused", "bad_item") for place in range(5)),
        (5, "created", ""),
    ]


def test_markdown_by_hand_needs_only_addresses(alice: Actor) -> None:
    text = "Notes.\n\n# mem://user/profile/tea\nGreen.\n\n# mem://user/preferences/bun\n\nbun, not npm\n"
    assert [one.state for one in bring(alice, items_of_markdown(text))] == ["created", "created"]
    assert at(alice, "mem://user/profile/tea").content == "Green."
