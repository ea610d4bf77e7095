"""Merging in the console: previewed, edited, or refused with a message."""

from __future__ import annotations

from django.test import Client

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.common.tenancy import workspace
from apps.memory.models import MemNode
from apps.memory.services.tree.edit import node_edit
from tests.console.test_changes import fresh
from tests.console.test_memory import Answer, choose, newest, told, write

GREEN, MINT = "Drinks green tea in the morning.", "Drinks mint tea."


def two(actor: Actor) -> tuple[MemNode, MemNode]:
    return write(actor, "mem://user/preferences/tea", GREEN), write(actor, "mem://user/preferences/mint", MINT)


def merge(console: Client, asked: Answer, *nodes: MemNode, **more: object) -> Answer:
    """Submit the confirmation page's form."""
    held = {name: asked.context[name] for name in ("seen", "content")}
    return choose(console, "merge", *nodes, **{**held, "target": asked.context["target"].pk, "post": "merge", **more})


def test_it_shows_the_text_of_the_merged_memory(console: Client, alice: Actor) -> None:
    tea, mint = two(alice)
    asked = choose(console, "merge", tea, mint)
    assert (asked.context["target"].pk, asked.context["content"]) == (tea.pk, f"{GREEN}\n\n{MINT}")
    other = choose(console, "merge", tea, mint, target=mint.pk, post="look")
    assert (other.context["target"].pk, other.context["content"]) == (mint.pk, f"{MINT}\n\n{GREEN}")
    assert fresh(tea).version == fresh(mint).version == 1


def test_the_others_go_into_the_one_that_stays(console: Client, operator: User, alice: Actor) -> None:
    tea, mint = two(alice)
    asked = choose(console, "merge", tea, mint)
    done = merge(console, asked, tea, mint, content="Drinks tea:\r\ngreen or mint.", reason="They say the same")
    assert told(done) == "1 merged into mem://user/preferences/tea."
    kept: MemNode = fresh(tea)
    gone: MemNode = fresh(mint)
    assert (kept.l2_content, kept.merged_from) == ("Drinks tea:\ngreen or mint.", [str(mint.pk)])
    assert (gone.merged_into_id, gone.archived_at is None) == (tea.pk, False)
    revision = newest(tea)
    assert (revision.operation, revision.actor_id, revision.reason) == ("merge", operator.pk, "They say the same")


def test_a_concurrent_change_requires_another_confirmation(console: Client, alice: Actor) -> None:
    tea, mint = two(alice)
    asked = choose(console, "merge", tea, mint)
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=mint.pk, changes={"content": "No mint, please."}, version=1)
    again = merge(console, asked, tea, mint, content="Any tea.")
    assert "memories has changed" in told(again)
    assert again.context["content"] == "Any tea."
    assert (fresh(tea).version, fresh(mint).archived_at) == (1, None)


def test_a_refused_merge_is_reported_and_changes_nothing(
    console: Client, alice: Actor, bob: Actor, charlie: Actor
) -> None:
    tea, mint = two(alice)
    assert "at least two" in told(choose(console, "merge", tea))
    for stranger in (bob, charlie):
        other = write(stranger, "mem://user/preferences/cake", "Carrot cake.")
        assert "different owners" in told(choose(console, "merge", tea, other))
    assert "A folder" in told(choose(console, "merge", tea, at_root(alice)))
    asked = choose(console, "merge", tea, mint)
    assert "needs content" in told(merge(console, asked, tea, mint, content=" "))
    assert (fresh(tea).version, fresh(mint).version) == (1, 1)


def at_root(actor: Actor) -> MemNode:
    with workspace(actor.workspace_id):
        return MemNode.objects.get(uri="mem://user/preferences", owner_id=actor.user_id)
