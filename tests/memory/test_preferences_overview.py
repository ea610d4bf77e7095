"""The overview of a person's preferences, and what overviews of directories list."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.categories import PREFERENCES_OVERVIEW
from apps.memory.models import MemNode, MemRevision
from apps.memory.selectors import listings
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.services.tree.archive import node_archive
from apps.memory.services.tree.delete_permanently import node_erase
from apps.memory.services.tree.edit import node_edit
from tests.memory.test_tree_jobs import run_the_job
from tests.memory.trees import at, moment, read, write

pytestmark = pytest.mark.django_db(transaction=True)
PREFERENCES = "mem://user/preferences"


def overview(actor: Actor) -> list[str]:
    run_the_job("memory_tiers")
    return at(actor, PREFERENCES_OVERVIEW.text).overview.splitlines()


def prefer(actor: Actor, name: str, content: str, day: int) -> None:
    write(actor, f"{PREFERENCES}/{name}", content, occurred_at=moment(f"2026-11-{day:02}T12:00:00+00:00"))


def test_it_lists_the_preferences_newest_first_wherever_they_are_filed(alice: Actor) -> None:
    prefer(alice, "tea", "Prefers tea.", 1)
    prefer(alice, "tools/editor", "Uses Vim.", 3)
    prefer(alice, "spelling", "Writes British English.", 2)
    assert overview(alice) == ["- Uses Vim.", "- Writes British English.", "- Prefers tea."]
    node = at(alice, PREFERENCES_OVERVIEW.text)
    assert (node.node_type, node.content, node.abstract) == (
        "dir",
        "",
        "Uses Vim; Writes British English; Prefers tea",
    )
    with workspace(alice.workspace_id):
        assert tree_faults() == []
        assert MemRevision.objects.get(node_id=node.id).made_by == "offline"


def test_it_follows_every_change_of_a_preference(alice: Actor) -> None:
    prefer(alice, "tea", "Prefers tea.", 1)
    prefer(alice, "tools/editor", "Uses Vim.", 2)
    overview(alice)
    with workspace(alice.workspace_id):
        tea, editor = (at(alice, f"{PREFERENCES}/{name}") for name in ("tea", "tools/editor"))
        node_edit(alice, node_id=editor.id, changes={"content": "Uses Emacs."}, version=1)
        node_archive(alice, node_id=tea.id)
    assert overview(alice) == ["- Uses Emacs."]
    assert at(alice, PREFERENCES_OVERVIEW.text).version == 1


def test_it_is_refreshed_when_the_folders_own_abstract_does_not_change(alice: Actor) -> None:
    prefer(alice, "tools/editor", "Uses Vim.", 2)
    overview(alice)
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=at(alice, f"{PREFERENCES}/tools").id, changes={"abstract": "Tools."}, version=1)
    prefer(alice, "tools/shell", "Uses fish.", 3)
    assert overview(alice) == ["- Uses fish.", "- Uses Vim."]


def test_a_persons_own_text_of_it_remains(alice: Actor) -> None:
    prefer(alice, "tea", "Prefers tea.", 1)
    overview(alice)
    with workspace(alice.workspace_id):
        node = at(alice, PREFERENCES_OVERVIEW.text)
        node_edit(alice, node_id=node.id, changes={"overview": "Tea, above all."}, version=1)
    prefer(alice, "spelling", "Writes British English.", 2)
    assert overview(alice) == ["Tea, above all."]


def test_a_memory_that_a_person_has_at_its_address_stays(alice: Actor) -> None:
    own = write(alice, PREFERENCES_OVERVIEW.text, "What I like.")
    prefer(alice, "tea", "Prefers tea.", 1)
    run_the_job("memory_tiers")
    assert (read(alice, own.id).content, read(alice, own.id).version) == ("What I like.", 1)


def test_a_permanently_deleted_overview_does_not_return(alice: Actor) -> None:
    prefer(alice, "tea", "Prefers tea.", 1)
    overview(alice)
    with workspace(alice.workspace_id):
        node_erase(alice, node_id=at(alice, PREFERENCES_OVERVIEW.text).id)
    prefer(alice, "spelling", "Writes British English.", 2)
    run_the_job("memory_tiers")
    with workspace(alice.workspace_id):
        assert not MemNode.objects.filter(uri=PREFERENCES_OVERVIEW.text).exists()


def test_it_has_a_limited_number_of_lines(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listings, "MOST_PREFERENCES", 2)
    for day in (1, 2, 3, 4):
        prefer(alice, f"p{day}", f"Number {day}.", day)
    assert overview(alice) == ["- Number 4.", "- Number 3.", "- and 2 more"]


def test_each_person_has_their_own(alice: Actor, bob: Actor) -> None:
    prefer(alice, "tea", "Prefers tea.", 1)
    prefer(bob, "tea", "Prefers coffee.", 1)
    assert (overview(alice), overview(bob)) == (["- Prefers tea."], ["- Prefers coffee."])


@pytest.mark.parametrize("directory", [PREFERENCES, "mem://user/entities/acme"])
def test_superseded_expired_and_proposed_memories_are_not_listed(alice: Actor, directory: str) -> None:
    rows = {name: write(alice, f"{directory}/{name}", f"{name}.") for name in ("now", "old", "past", "waiting", "next")}
    at_once = timezone.now()
    with workspace(alice.workspace_id):
        nodes = MemNode.objects
        nodes.filter(pk=rows["old"].id).update(valid_to=at_once, superseded_by_id=rows["now"].id)
        nodes.filter(pk=rows["past"].id).update(valid_to=at_once - timedelta(days=1))
        nodes.filter(pk=rows["waiting"].id).update(arrival="proposed")
        nodes.filter(pk=rows["next"].id).update(valid_to=at_once + timedelta(days=1))
    run_the_job("memory_tiers")
    assert at(alice, directory).overview == "- next: next.\n- now: now."


def test_a_permanently_deleted_preference_is_in_no_overview_at_once(alice: Actor) -> None:
    prefer(alice, "tea", "Prefers tea.", 1)
    prefer(alice, "spelling", "Writes British English.", 2)
    overview(alice)
    with workspace(alice.workspace_id):
        node_erase(alice, node_id=at(alice, f"{PREFERENCES}/tea").id)
        directories = MemNode.objects.filter(node_type="dir").values_list("l0_abstract", "l1_overview")
        assert "Prefers tea" not in str(list(directories))
    assert overview(alice) == ["- Writes British English."]
