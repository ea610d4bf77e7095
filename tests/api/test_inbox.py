"""The inbox over HTTP."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import Workspace
from tests.api.callers import Caller, viewer_of
from tests.conversations.long_conversations import conversation
from tests.inbox.inboxes import memory, message, pair, proposal, row, slot, tool_talk

pytestmark = pytest.mark.django_db
HOOKS = "mem://user/entities/stripe/webhooks"


@pytest.fixture
def proposed(alice: Actor) -> UUID:
    return proposal(alice, HOOKS, "Stripe retries webhooks for three days.")


@pytest.fixture
def moved(alice: Actor) -> tuple[UUID, UUID]:
    """A memory in use, and a proposal with another value of the same attribute."""
    rome = memory(alice, "mem://user/profile/home", "I live in Rome.", **slot("Rome"))
    return rome, proposal(alice, "mem://user/profile/home-2", "Alice lives in Oslo.", **slot("Oslo"))


def listed(caller: Caller, query: str = "") -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = caller.get(f"/inbox{query}")["data"]
    return items


def count(caller: Caller) -> int:
    return int(caller.get("/inbox/count")["waiting"])


def test_an_item_comes_with_all_that_a_decision_needs(alice: Actor) -> None:
    talk = conversation(alice, title="Moving")
    words = message(alice, talk, "I live in Rome.")
    rome = memory(alice, "mem://user/profile/home", "I live in Rome.", ("message", words), **slot("Rome"))
    _, result = tool_talk(alice)
    proposal(alice, "mem://user/profile/home-2", "Alice lives in Oslo.", ("message", result), **slot("Oslo"))
    [item] = listed(Caller(alice))
    assert (item["kind"], item["reason"]) == ("proposal", "same_attribute")
    assert (item["memory"]["content"], item["memory"]["trust"]) == ("Alice lives in Oslo.", "tool")
    [quote] = item["memory"]["quotes"]
    assert (quote["conversation_title"], quote["index"], quote["speaker"]) == ("Search", 0, "tool")
    [earlier] = item["replaces"]
    assert (earlier["id"], earlier["quotes"][0]["text"]) == (str(rome), "I live in Rome.")
    assert [step["value"] for step in item["trust_path"]] == ["tool", "tool"]


def test_the_count_follows_the_decisions(alice: Actor, proposed: UUID) -> None:
    caller = Caller(alice)
    assert count(caller) == 1
    assert caller.post(f"/inbox/{proposed}/approve", {}, 200)["waiting"] == 0
    assert (count(caller), listed(caller)) == (0, [])
    assert caller.get(f"/memories/{proposed}")["trust"] == "direct_user"


def test_every_decision_can_be_undone(alice: Actor, moved: tuple[UUID, UUID]) -> None:
    caller, (rome, oslo) = Caller(alice), moved
    for decision in ("approve", "replace", "keep-both", "decline"):
        change_id = caller.post(f"/inbox/{oslo}/{decision}", {}, 200)["change_id"]
        assert count(caller) == 0
        undone = caller.post("/inbox/undo", {"change_id": change_id}, 200)
        assert (undone["ids"], undone["waiting"]) == ([str(oslo)], 1)
    assert caller.post("/inbox/undo", {"change_id": change_id}, 409)["code"] == "changed_since"
    assert row(alice, rome).superseded_by_id is None


def test_a_replaced_memory_is_history(alice: Actor, moved: tuple[UUID, UUID]) -> None:
    caller, (rome, oslo) = Caller(alice), moved
    caller.post(f"/inbox/{oslo}/replace", {}, 200)
    assert row(alice, rome).superseded_by_id == oslo


def test_the_second_decision_gets_a_conflict(alice: Actor, proposed: UUID) -> None:
    caller = Caller(alice)
    caller.post(f"/inbox/{proposed}/decline", {}, 200)
    assert caller.post(f"/inbox/{proposed}/approve", {}, 409)["code"] == "already_decided"


def test_a_decision_can_name_the_version_that_was_seen(alice: Actor, proposed: UUID) -> None:
    caller = Caller(alice)
    tag = caller.tag(f"/inbox/{proposed}")
    assert caller.post(f"/inbox/{proposed}/approve", {}, 412, If_Match='"7"')["code"] == "stale"
    caller.post(f"/inbox/{proposed}/approve", {}, 200, If_Match=tag)


def test_an_edit_and_a_merge_need_the_version(alice: Actor, proposed: UUID) -> None:
    caller, target = Caller(alice), memory(alice, "mem://user/events/other", "Another.")
    bodies = {"edit": {"content": "Better."}, "merge": {"into_id": str(target)}}
    for name, body in bodies.items():
        assert caller.post(f"/inbox/{proposed}/{name}", body, 428)["code"] == "precondition_required"


def test_an_edited_proposal_is_approved_with_its_new_text_and_address(alice: Actor, proposed: UUID) -> None:
    caller = Caller(alice)
    body = {"content": "Stripe retries for 72 hours.", "tags": ["stripe"], "category": "events"}
    caller.post(f"/inbox/{proposed}/edit", body, 200, If_Match='"1"')
    node = caller.get(f"/memories/{proposed}")
    assert (node["content"], node["tags"], node["uri"]) == (
        *(body["content"], ["stripe"]),
        "mem://user/events/webhooks",
    )
    assert node["arrival"] == "accepted"


@pytest.mark.parametrize(
    "body",
    [
        {"content": " "},
        {"uri": HOOKS, "category": "events"},
        {"uri": "nowhere"},
        {"category": "gossip"},
        {"text": "Unknown."},
        {"tags": "one"},
    ],
)
def test_a_bad_edit_changes_nothing(alice: Actor, proposed: UUID, body: dict[str, Any]) -> None:
    Caller(alice).post(f"/inbox/{proposed}/edit", body, 400, If_Match="*")
    assert row(alice, proposed).arrival == "proposed"


def test_a_proposal_is_merged_into_a_memory(alice: Actor, proposed: UUID) -> None:
    caller, target = Caller(alice), memory(alice, "mem://user/entities/stripe/retries", "Retries stop after 72 hours.")
    body = {"into_id": str(target), "content": "Stripe retries webhooks for three days, then stops."}
    caller.post(f"/inbox/{proposed}/merge", body, 200, If_Match='"1"')
    assert caller.get(f"/memories/{target}")["content"] == body["content"]
    assert count(caller) == 0


def test_several_items_are_decided_in_one_change(alice: Actor, proposed: UUID) -> None:
    caller, (pair_id, _, _) = Caller(alice), pair(alice)
    body = {"ids": [str(proposed), str(pair_id), str(uuid4())], "decision": "decline"}
    done = caller.post("/inbox/decisions", body, 200)
    assert set(done["ids"]) == {str(proposed), str(pair_id)}
    assert [one["code"] for one in done["skipped"]] == ["not_found"]
    assert caller.post("/inbox/undo", {"change_id": done["change_id"]}, 200)["waiting"] == 2


def test_the_list_has_an_order_filters_and_pages(alice: Actor, proposed: UUID) -> None:
    caller = Caller(alice)
    event = proposal(alice, "mem://user/events/other", "Other.", ("import", "notes"))
    assert [item["id"] for item in listed(caller)] == [str(event), str(proposed)]
    assert [item["id"] for item in listed(caller, "?order=oldest")] == [str(proposed), str(event)]
    assert [item["id"] for item in listed(caller, "?category=events")] == [str(event)]
    assert [item["id"] for item in listed(caller, "?source_kind=import")] == [str(event)]
    assert listed(caller, f"?conversation_id={uuid4()}") == []
    assert [len(page) for page in caller.pages("/inbox", 1)] == [1, 1]
    caller.get("/inbox?order=random", 400)


def test_decisions_are_listed_with_whether_they_were_undone(alice: Actor, proposed: UUID) -> None:
    caller = Caller(alice)
    change_id = caller.post(f"/inbox/{proposed}/decline", {}, 200)["change_id"]
    [one] = caller.get("/inbox/decided")["data"]
    assert (one["change_id"], one["verdict"], one["undone"]) == (change_id, "decline", False)
    caller.post("/inbox/undo", {"change_id": change_id}, 200)
    assert [one["undone"] for one in caller.get("/inbox/decided")["data"]] == [True]


def test_everything_from_a_source_is_declined(alice: Actor) -> None:
    caller, (_, result) = Caller(alice), tool_talk(alice)
    for number in range(2):
        proposal(alice, f"mem://user/events/e{number}", f"Event {number}.", ("message", result))
    body = {"source": {"kind": "tool", "reference": "web_search"}}
    assert len(caller.post("/inbox/decline-source", body, 200)["ids"]) == 2
    assert count(caller) == 0


def test_a_source_is_taken_out_of_use_after_a_dry_run(alice: Actor) -> None:
    caller = Caller(alice)
    used = memory(alice, "mem://user/events/used", "Used.", ("import", "notes"))
    body = {"source": {"kind": "import", "reference": "notes"}, "action": "quarantine"}
    preview = caller.post("/inbox/quarantine?dry_run=true", body, 200)
    assert (preview["affected"], preview["change_id"], count(caller)) == (1, None, 0)
    done = caller.post("/inbox/quarantine", body, 200)
    assert (done["affected"], done["waiting"]) == (1, 1)
    assert [item["id"] for item in listed(caller)] == [str(used)]
    caller.post("/inbox/undo", {"change_id": done["change_id"]}, 200)
    assert count(caller) == 0


def test_a_source_by_id_needs_an_id(alice: Actor) -> None:
    body = {"source": {"kind": "message", "reference": "the first"}}
    Caller(alice).post("/inbox/decline-source", body, 400)
    Caller(alice).post("/inbox/decline-source", {"source": {"kind": "message", "reference": str(uuid4())}}, 404)


def test_others_have_no_part_in_it(alice: Actor, bob: Actor, charlie: Actor, proposed: UUID) -> None:
    pair_id, _, _ = pair(alice)
    for actor in (bob, charlie):
        caller = Caller(actor)
        assert (count(caller), listed(caller), caller.get("/inbox/decided")["data"]) == (0, [], [])
        for item_id in (proposed, pair_id):
            caller.get(f"/inbox/{item_id}", 404)
            caller.post(f"/inbox/{item_id}/approve", {}, 404)
    change_id = Caller(alice).post(f"/inbox/{proposed}/approve", {}, 200)["change_id"]
    for actor in (bob, charlie):
        Caller(actor).post("/inbox/undo", {"change_id": change_id}, 404)


def test_a_viewer_reads_and_decides_nothing(acme: Workspace) -> None:
    caller = Caller(viewer_of(acme))
    assert count(caller) == 0
    caller.post(f"/inbox/{uuid4()}/approve", {}, 403)


def test_a_members_proposal_for_the_team_is_for_curators(alice: Actor, bob: Actor) -> None:
    case = proposal(alice, "mem://agent/cases/migration", "Migrate one table at a time.", shared=True)
    assert Caller(bob).post(f"/inbox/{case}/approve", {}, 403)["code"] == "curators_only"
    Caller(alice).post(f"/inbox/{case}/approve", {}, 200)
