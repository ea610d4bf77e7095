"""Actions on memories over HTTP, and their undo."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from apps.accounts.actors import Actor
from tests.api.callers import Caller, at_once

pytestmark = pytest.mark.django_db

EVENTS = "mem://user/events"


def made(caller: Caller, name: str, content: str = "", **more: Any) -> dict[str, Any]:
    body = {"uri": f"{EVENTS}/{name}", "content": content or f"About {name}.", **more}
    memory: dict[str, Any] = caller.post("/memories", body)
    return memory


def path_of(memory: dict[str, Any]) -> str:
    return f"/memories/{memory['id']}"


def revisions(caller: Caller, memory: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = caller.get(f"{path_of(memory)}/revisions")["data"]
    return found


def undone(caller: Caller, memory: dict[str, Any], change_id: str) -> dict[str, Any]:
    back: dict[str, Any] = caller.post(f"{path_of(memory)}/undo", {"change_id": change_id}, status=200)
    return back


def test_every_write_is_a_revision_that_lists_what_differs(alice: Actor) -> None:
    caller = Caller(alice)
    memory = made(caller, "release", "One.\nTwo.\nThree.", reason="it happened")
    body = {"content": "One.\nTwo and a half.\nThree.", "reason": "corrected"}
    caller.patch(path_of(memory), body, If_Match='"1"')
    newest, first = revisions(caller, memory)
    assert (first["number"], first["operation"], first["reason"]) == (1, "create", "it happened")
    assert (newest["number"], newest["operation"], newest["reason"]) == (2, "edit", "corrected")
    assert (newest["actor_id"], newest["undone"], newest["undoes"]) == (str(alice.user_id), False, None)
    assert "l2_content" in newest["fields"] and newest["before"]["l2_content"] == "One.\nTwo.\nThree."
    (hunk,) = newest["hunks"]
    assert [(line["kind"], line["text"]) for line in hunk] == [
        ("same", "One."),
        ("removed", "Two."),
        ("added", "Two and a half."),
        ("same", "Three."),
    ]
    assert (hunk[1]["old"], hunk[1]["new"], hunk[2]["new"]) == (2, 0, 2)


def test_revisions_come_in_pages(alice: Actor) -> None:
    caller = Caller(alice)
    memory = made(caller, "release")
    for version in range(1, 5):
        caller.patch(path_of(memory), {"content": f"Again {version}."}, If_Match=f'"{version}"')
    pages = caller.pages(f"{path_of(memory)}/revisions", 2)
    assert [[revision["number"] for revision in page] for page in pages] == [[5, 4], [3, 2], [1]]


def test_an_undo_takes_a_change_back_and_is_undone_itself(alice: Actor) -> None:
    caller = Caller(alice)
    memory = made(caller, "release", "Before.", tags=["old"])
    caller.patch(path_of(memory), {"content": "After.", "tags": ["new"]}, If_Match='"1"')
    change = revisions(caller, memory)[0]["change_id"]
    back = undone(caller, memory, change)
    assert (back["content"], back["tags"], back["version"]) == ("Before.", ["old"], 3)
    undo, edit, _ = revisions(caller, memory)
    assert (undo["operation"], undo["undoes"], edit["undone"]) == ("undo", change, True)
    again = undone(caller, memory, undo["change_id"])
    assert (again["content"], again["tags"]) == ("After.", ["new"])
    assert revisions(caller, memory)[2]["undone"] is False


def test_what_was_changed_since_is_not_guessed_at(alice: Actor) -> None:
    caller = Caller(alice)
    memory = made(caller, "release", "Before.")
    caller.patch(path_of(memory), {"content": "After."}, If_Match='"1"')
    change = revisions(caller, memory)[0]["change_id"]
    caller.patch(path_of(memory), {"content": "Later."}, If_Match='"2"')
    problem = caller.post(f"{path_of(memory)}/undo", {"change_id": change}, status=409)
    assert problem["code"] == "changed_since"
    assert caller.get(path_of(memory))["content"] == "Later."


def test_a_change_that_never_was_is_not_undone(alice: Actor) -> None:
    caller = Caller(alice)
    memory, other = made(caller, "release"), made(caller, "other")
    for change in (str(uuid4()), revisions(caller, other)[0]["change_id"]):
        caller.post(f"{path_of(memory)}/undo", {"change_id": change}, status=404)
    assert caller.get(path_of(other))["archived_at"] is None


def test_a_moved_directory_takes_all_along_and_goes_back(alice: Actor) -> None:
    caller = Caller(alice)
    leaf = caller.post("/memories", {"uri": "mem://user/entities/acme/owner", "content": "Ann."})
    folder = caller.get("/memories?uri=mem://user/entities/acme")
    to = {"to": "mem://user/entities/acme-corp"}
    caller.post(f"{path_of(folder)}/move", to, status=428)
    moved = caller.post(f"{path_of(folder)}/move", to, status=200, If_Match=f'"{folder["version"]}"')
    assert moved["uri"] == "mem://user/entities/acme-corp"
    assert caller.get(path_of(leaf))["uri"] == "mem://user/entities/acme-corp/owner"
    caller.post(f"{path_of(folder)}/move", {"to": folder["uri"]}, status=412, If_Match=f'"{folder["version"]}"')
    undone(caller, folder, revisions(caller, folder)[0]["change_id"])
    assert caller.get(path_of(leaf))["uri"] == leaf["uri"]


@pytest.mark.parametrize(
    ("to", "status", "code"),
    [
        (f"{EVENTS}/taken", 409, "address_taken"),
        (f"{EVENTS}/release/below", 422, "tree_refused"),
        ("mem://agent/cases/release", 422, "tree_refused"),
        (EVENTS, 409, "address_taken"),
        ("mem://user/preferences", 422, "tree_refused"),
        ("events/release", 400, "bad_address"),
    ],
)
def test_a_move_that_would_break_the_tree_is_refused(to: str, status: int, code: str, alice: Actor) -> None:
    caller = Caller(alice)
    memory, _ = made(caller, "release"), made(caller, "taken")
    assert caller.post(f"{path_of(memory)}/move", {"to": to}, status=status, If_Match='"1"')["code"] == code
    assert caller.get(path_of(memory))["uri"] == memory["uri"]


def test_a_move_makes_the_directories_that_are_not_there(alice: Actor) -> None:
    caller = Caller(alice)
    memory = made(caller, "release")
    to = {"to": f"{EVENTS}/2026/may/release"}
    moved = caller.post(f"{path_of(memory)}/move", to, status=200, If_Match='"1"')
    assert (moved["id"], moved["uri"]) == (memory["id"], to["to"])
    assert [line["uri"] for line in caller.get(f"/tree?uri={EVENTS}&depth=3")["data"]] == [
        f"{EVENTS}/2026",
        f"{EVENTS}/2026/may",
        to["to"],
    ]


def test_memories_merge_into_one_and_part_again(alice: Actor) -> None:
    caller = Caller(alice)
    target, source = made(caller, "one", "Deploys on Fridays."), made(caller, "two", "Never at noon.")
    body = {"source_ids": [source["id"]]}
    caller.post(f"{path_of(target)}/merge", body, status=428)
    merged = caller.post(f"{path_of(target)}/merge", body, status=200, If_Match='"1"')
    assert (merged["content"], merged["merged_from"]) == ("Deploys on Fridays.\n\nNever at noon.", [source["id"]])
    gone = caller.get(path_of(source))
    assert gone["archived_at"] and gone["merged_into"] == target["id"]
    undone(caller, target, revisions(caller, target)[0]["change_id"])
    assert caller.get(path_of(target))["content"] == "Deploys on Fridays."
    back = caller.get(path_of(source))
    assert (back["archived_at"], back["merged_into"]) == (None, None)


def test_a_person_edits_the_text_of_a_merge(alice: Actor) -> None:
    caller = Caller(alice)
    target, source = made(caller, "one"), made(caller, "two")
    body = {"source_ids": [source["id"]], "content": "Both in one line."}
    assert caller.post(f"{path_of(target)}/merge", body, status=200, If_Match='"1"')["content"] == "Both in one line."


def test_a_merge_that_makes_no_sense_is_refused(alice: Actor, bob: Actor) -> None:
    caller = Caller(alice)
    target = made(caller, "one")
    path = f"{path_of(target)}/merge"
    assert caller.post(path, {"source_ids": []}, status=400, If_Match='"1"')["errors"][0]["pointer"] == "/source_ids"
    assert caller.post(path, {"source_ids": [target["id"]]}, status=422, If_Match='"1"')["code"] == "tree_refused"
    foreign = made(Caller(bob), "his")["id"]
    for unknown in (foreign, str(uuid4())):
        caller.post(path, {"source_ids": [unknown]}, status=404, If_Match='"1"')
    assert caller.get(path_of(target))["version"] == 1


@pytest.mark.django_db(transaction=True)
def test_two_merges_at_once_give_the_result_of_one(alice: Actor) -> None:
    caller = Caller(alice)
    target, source = made(caller, "one", "One."), made(caller, "two", "Two.")

    def merge() -> int:
        answer = Caller(alice).client.post(
            f"/api{path_of(target)}/merge", {"source_ids": [source["id"]]}, headers={"If-Match": '"1"'}
        )
        return int(answer.status_code)

    assert sorted(at_once(merge)) == [200, 412, 412, 412]
    assert caller.get(path_of(target))["content"] == "One.\n\nTwo."


def test_what_is_archived_comes_back(alice: Actor) -> None:
    caller = Caller(alice)
    leaf = caller.post("/memories", {"uri": "mem://user/entities/acme/owner", "content": "Ann."})
    folder = caller.get("/memories?uri=mem://user/entities/acme")
    away = caller.post(f"{path_of(folder)}/archive", status=200)
    assert away["archived_at"] and caller.get(path_of(leaf))["archived_at"]
    assert caller.post(f"{path_of(leaf)}/restore", status=200)["archived_at"] is None
    assert caller.get(path_of(folder))["archived_at"] is None


def test_a_private_case_is_shared_with_the_workspace(alice: Actor, bob: Actor) -> None:
    his = Caller(bob).post("/memories", {"uri": "mem://agent/cases/locked", "content": "WAL mode helps."})
    assert Caller(bob).post(f"{path_of(his)}/share", status=403)["code"] == "curators_only"
    Caller(alice).get(path_of(his), status=404)
    hers = Caller(alice).post("/memories", {"uri": "mem://agent/cases/slow", "content": "An index helps."})
    shared = Caller(alice).post(f"{path_of(hers)}/share", status=200)
    assert (shared["shared"], shared["owner_id"]) == (True, None)
    assert Caller(bob).get(path_of(hers))["content"] == "An index helps."


def test_what_is_a_persons_own_is_not_shared(alice: Actor) -> None:
    memory = made(Caller(alice), "release")
    assert Caller(alice).post(f"{path_of(memory)}/share", status=422)["code"] == "not_shareable"
