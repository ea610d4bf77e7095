"""Dry runs return the result of a change without storing it, so that clients need no copy of a rule."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import Workspace
from tests.api.callers import Caller, viewer_of
from tests.api.rows import everything_stored
from tests.api.talks import read_talk
from tests.compaction.runs import run_due_jobs
from tests.conversations.long_conversations import conversation, say

pytestmark = pytest.mark.django_db

EVENTS = "mem://user/events"


def previewed(actor: Actor, body: dict[str, Any], status: int = 200) -> Any:
    return Caller(actor).post("/memories?dry_run=true", body, status=status)


def plan_of(actor: Actor, talk: UUID, level: str = "light", status: int = 200) -> Any:
    return Caller(actor).post(f"/conversations/{talk}/compactions?dry_run=true", {"level": level}, status=status)


@pytest.mark.parametrize(
    ("category", "name", "uri"),
    [
        ("events", "First deploy", "mem://user/events/first-deploy"),
        ("events", "?!", "mem://user/events/unnamed"),
        ("events", "\u0301abc", "mem://user/events/abc"),
        ("events", "CI/CD", "mem://user/events/ci-cd"),
        ("entities", "Acme API/Rate limit", "mem://user/entities/acme-api/rate-limit"),
        ("cases", "Żółć ﬁrst", "mem://agent/cases/żółć-first"),
    ],
)
def test_a_dry_run_gives_the_address_that_the_memory_then_gets(
    category: str, name: str, uri: str, alice: Actor
) -> None:
    body = {"category": category, "name": name}
    assert previewed(alice, body) == {"uri": uri, "category": category, "taken": False, "existing": False}
    assert Caller(alice).post("/memories", {**body, "content": "Text."})["uri"] == uri


def test_a_dry_run_counts_on_where_the_name_is_taken(alice: Actor) -> None:
    body = {"category": "events", "name": "Deploy"}
    for number in ("", "-2"):
        assert previewed(alice, body) == {
            "uri": f"{EVENTS}/deploy{number}",
            "category": "events",
            "taken": number != "",
            "existing": False,
        }
        made = Caller(alice).post("/memories", {**body, "content": f"Text{number}."})
        assert made["uri"] == f"{EVENTS}/deploy{number}"


def test_a_dry_run_reports_that_an_address_is_taken(alice: Actor) -> None:
    chosen = {"uri": f"{EVENTS}/deploy"}
    Caller(alice).post("/memories", {**chosen, "content": "Text."})
    assert previewed(alice, chosen) == {
        "uri": f"{EVENTS}/deploy",
        "category": "events",
        "taken": True,
        "existing": False,
    }


def test_a_dry_run_writes_no_memory_and_no_directory(alice: Actor) -> None:
    caller, body = Caller(alice), {"category": "entities", "name": "Acme/Rate limit", "content": "Text."}
    before = everything_stored()
    caller.post("/memories?dry_run=true", body, status=200)
    assert everything_stored() == before


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"uri": EVENTS}, 422),
        ({"uri": f"{EVENTS}/deploy/below"}, 422),
        ({"uri": "events/deploy"}, 400),
        ({"category": "entities", "name": "Acme"}, 400),
        ({"uri": f"{EVENTS}/other", "shared": True}, 422),
    ],
)
def test_a_dry_run_refuses_what_writing_would_refuse(body: dict[str, Any], status: int, alice: Actor) -> None:
    Caller(alice).post("/memories", {"uri": f"{EVENTS}/deploy", "content": "Text."})
    assert previewed(alice, body, status) is not None
    assert Caller(alice).post("/memories", {**body, "content": "Text."}, status=status) is not None


def test_without_a_dry_run_a_memory_still_needs_a_text(alice: Actor) -> None:
    assert Caller(alice).post("/memories", {"uri": f"{EVENTS}/deploy"}, status=400)["code"] == "invalid"


def test_who_may_only_read_previews_nothing(acme: Workspace) -> None:
    previewed(viewer_of(acme), {"category": "events", "name": "Deploy"}, 403)


@pytest.fixture
def two(alice: Actor) -> tuple[dict[str, Any], dict[str, Any]]:
    caller = Caller(alice)
    target = caller.post("/memories", {"uri": f"{EVENTS}/one", "content": "Deploys on Straße 5."})
    source = caller.post("/memories", {"uri": f"{EVENTS}/two", "content": "- deploys on STRASSE 5\nNever at noon."})
    return target, source


def test_a_dry_run_of_a_merge_gives_the_text_that_the_merge_gives(
    alice: Actor, two: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    target, source = two
    caller, path, body = Caller(alice), f"/memories/{target['id']}/merge", {"source_ids": [source["id"]]}
    before = everything_stored()
    told = caller.post(f"{path}?dry_run=true", body, status=200, If_Match='"1"')
    assert everything_stored() == before
    assert told == {"content": "Deploys on Straße 5.\n\nNever at noon.", "trust": "direct_user"}
    assert caller.post(path, body, status=200, If_Match='"1"')["content"] == told["content"]


def test_a_dry_run_of_a_merge_refuses_what_the_merge_refuses(
    alice: Actor, bob: Actor, two: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    target, source = two
    path, body = f"/memories/{target['id']}/merge?dry_run=true", {"source_ids": [source["id"]]}
    Caller(alice).post(path, {"source_ids": [target["id"]]}, status=422, If_Match='"1"')
    Caller(bob).post(path, body, status=404, If_Match='"1"')


@pytest.fixture(scope="module")
def talk(shared_alice: Actor) -> UUID:
    return read_talk(shared_alice)


@pytest.mark.parametrize("level", ["light", "deep", "aggressive"])
def test_a_dry_run_of_a_compaction_gives_the_messages_that_it_then_compacts(
    level: str, alice: Actor, talk: UUID
) -> None:
    caller, path = Caller(alice), f"/conversations/{talk}/compactions"
    before = everything_stored()
    plan = caller.post(f"{path}?dry_run=true", {"level": level}, status=200)
    assert everything_stored() == before
    caller.post(path, {"level": level}, status=202)
    run_due_jobs()
    (run,) = caller.get(path)["data"]
    assert (plan["level"], plan["message_count"], plan["compacted_from"], plan["compacted_through"]) == (
        *(level, run["compacted_count"]),
        *(run["compacted_from"], run["compacted_through"]),
    )
    assert (plan["live_tokens_before"], plan["live_tokens_after"]) == (run["tokens_before"], run["tokens_after"])
    assert plan["complete"] and plan["freed_tokens"] == 40 * 80 - plan["summary_tokens_after"] > 0
    assert plan["preservation_ratio_before"] == 100
    assert plan["preservation_ratio_after"] == pytest.approx(100 - 100 * plan["freed_tokens"] / (60 * 80), abs=0.1)


def test_a_dry_run_with_nothing_to_compact_frees_nothing(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "Hello.", "Hello, Alice.")
    plan = plan_of(alice, talk)
    assert (plan["message_count"], plan["compacted_from"], plan["freed_tokens"]) == (0, None, 0)
    assert plan["live_tokens_before"] == plan["live_tokens_after"] > 0


def test_a_dry_run_of_a_compaction_is_its_readers_alone(alice: Actor, charlie: Actor) -> None:
    plan_of(charlie, conversation(alice), status=404)
