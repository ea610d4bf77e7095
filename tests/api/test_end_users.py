"""An application with one key serves many people: each is private, and none is the key's owner."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from pytest_django import Settings
from rest_framework.test import APIClient

from apps.accounts.actors import Actor
from apps.accounts.models import Membership, User
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation
from apps.realtime.access_check import credentials_of_ticket
from tests.api.rows import everything_stored
from tests.people import client_of, key_client_of

pytestmark = pytest.mark.django_db
HEADER = "Continuity-User"


@pytest.fixture
def bot(alice: Actor) -> APIClient:
    """The application, with Alice's key."""
    return key_client_of(alice, "read", "write", "act_for_users")


def named(who: str) -> dict[str, str]:
    return {HEADER: who}


def remember(bot: APIClient, who: str, content: str) -> str:
    body = {"type": "fact", "key": "about", "content": content}
    answer = bot.post("/api/user-memory", body, headers=named(who))
    assert answer.status_code == 201, answer.content
    memory_id: str = answer.json()["id"]
    return memory_id


def contents(bot: APIClient, who: str) -> list[str]:
    return [one["content"] for one in bot.get("/api/user-memory", headers=named(who)).json()["data"]]


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def end_user_ids(bot: APIClient, **query: str) -> list[str]:
    return [one["external_id"] for one in bot.get("/api/end-users", query).json()["data"]]


def test_an_end_user_is_made_by_the_first_request_that_names_them(bot: APIClient) -> None:
    remember(bot, "customer 17", "Priya lives in Pune.")
    assert contents(bot, "customer 17") == ["Priya lives in Pune."]
    assert end_user_ids(bot) == ["customer 17"]


def test_nothing_of_one_end_user_or_of_the_keys_owner_reaches_another(bot: APIClient, alice: Actor) -> None:
    client_of(alice).post("/api/user-memory", {"type": "fact", "key": "mine", "content": "Alice has a nut allergy."})
    hers = remember(bot, "priya", "Priya lives in Pune.")
    assert contents(bot, "tom") == []
    assert code(bot.get(f"/api/user-memory/{hers}", headers=named("tom"))) == (404, "not_found")
    found = bot.get("/api/search", {"q": "lives nut allergy"}, headers=named("tom")).json()
    assert "Priya" not in str(found) and "Alice" not in str(found)
    assert "Priya" not in client_of(alice).get("/api/user-memory").content.decode()


@pytest.mark.parametrize("path", ["/api/user-memory", "/api/conversations", "/api/inbox", "/api/tree", "/api/export"])
def test_without_a_name_the_key_reads_nothing_private(bot: APIClient, path: str) -> None:
    assert code(bot.get(path)) == (403, "end_user_required")


def test_without_a_name_the_key_writes_nothing(bot: APIClient) -> None:
    before = everything_stored()
    assert code(bot.post("/api/conversations", {"title": "Whose?"})) == (403, "end_user_required")
    assert everything_stored() == before


def test_a_body_names_the_end_user_too(bot: APIClient) -> None:
    made = bot.post("/api/conversations", {"title": "Order 5", "user": "priya"})
    assert made.status_code == 201
    assert [one["title"] for one in bot.get("/api/conversations", headers=named("priya")).json()["data"]] == ["Order 5"]


def test_memories_take_user_id_as_other_memory_servers_do(bot: APIClient) -> None:
    body = {"uri": "mem://user/events/move", "content": "Moved to Pune.", "user_id": "priya"}
    assert bot.post("/api/v1/memories", body).status_code in (200, 201)
    at = {"uri": "mem://user/events/move"}
    assert bot.get("/api/v1/memories", at, headers=named("priya")).status_code == 200
    assert bot.get("/api/v1/memories", at, headers=named("tom")).status_code == 404


@pytest.mark.parametrize("who", [5, ["priya"], None, "", "x" * 201, "a\nb"])
def test_what_is_no_id_is_refused(bot: APIClient, who: object) -> None:
    assert code(bot.post("/api/conversations", {"title": "t", "user": who})) == (400, "invalid_end_user")


ALIKE = ["al\u200bice", "a\ufffd", "alice\u00a0", "\u3000alice", "alice\x1f"]


@pytest.mark.parametrize("who", ALIKE)
def test_what_could_be_taken_for_another_id_is_refused_by_every_way(bot: APIClient, who: str) -> None:
    remember(bot, "alice", "Alice's own.")
    assert code(bot.get("/api/user-memory", headers=named(who.encode().decode("latin-1")))) == (400, "invalid_end_user")
    assert code(bot.post("/api/search", {"q": "own", "user": who})) == (400, "invalid_end_user")
    event = {"hook_event_name": "SessionStart", "source": "startup", "session_id": "s", "cwd": "/", "user": who}
    assert code(bot.post("/api/hooks/claude-code", event)) == (400, "invalid_end_user")


def test_an_id_is_the_same_however_its_accents_are_composed(bot: APIClient) -> None:
    remember(bot, "cafe\u0301".encode().decode("latin-1"), "Opens at nine.")
    assert contents(bot, "caf\u00e9") == ["Opens at nine."]
    assert bot.post("/api/search", {"q": "nine", "user": "cafe\u0301"}).status_code == 200
    assert end_user_ids(bot) == ["caf\u00e9"]


def test_header_and_body_name_the_same_person(bot: APIClient) -> None:
    same = bot.post("/api/conversations", {"title": "t", "user": "priya"}, headers=named("priya"))
    assert same.status_code == 201
    other = bot.post("/api/conversations", {"title": "t", "user": "tom"}, headers=named("priya"))
    assert code(other) == (400, "invalid_end_user")


def test_a_file_names_nobody(bot: APIClient) -> None:
    body = b'{"role": "user", "content": "Hello", "user": "priya"}\n'
    answer = bot.generic("POST", "/api/imports", body, "application/json")
    assert code(answer) == (403, "end_user_required")


def test_a_request_counts_before_it_makes_somebody(bot: APIClient, settings: Settings) -> None:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "key": (2, 60)}
    codes = [bot.get("/api/user-memory", headers=named(f"customer {number}")).status_code for number in range(5)]
    assert codes == [200, 200, 429, 429, 429]
    assert Membership.objects.filter(role="end_user").count() == 2


def test_an_end_user_has_a_rate_of_their_own(bot: APIClient, settings: Settings) -> None:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "end_user": (2, 60)}
    assert [bot.get("/api/user-memory", headers=named("priya")).status_code for _ in range(3)] == [200, 200, 429]
    assert bot.get("/api/user-memory", headers=named("tom")).status_code == 200


def test_a_key_makes_itself_no_way_to_its_owner(alice: Actor) -> None:
    strong = key_client_of(alice, "read", "write", "admin", "act_for_users")
    answer = strong.post("/api/api-keys", {"name": "own", "scopes": ["read", "write"]})
    assert code(answer) == (403, "end_user_required")


def test_an_account_that_is_switched_off_is_refused(bot: APIClient) -> None:
    remember(bot, "priya", "Priya lives in Pune.")
    User.objects.filter(memberships__role="end_user").update(is_active=False)
    assert code(bot.get("/api/user-memory", headers=named("priya"))) == (403, "end_user_inactive")


def test_their_account_shows_no_made_up_address(bot: APIClient) -> None:
    me = bot.get("/api/me", headers=named("priya")).json()
    assert (me["role"], me["user"]["email"]) == ("end_user", "")


@pytest.mark.parametrize("who", ["客户七", "müller", "x" * 200, "a b", "auth0|5f7c"])
def test_any_visible_text_is_an_id(bot: APIClient, who: str) -> None:
    remember(bot, who, "Speaks many languages.")
    assert contents(bot, who) == ["Speaks many languages."]
    assert end_user_ids(bot) == [who]


def test_other_keys_and_people_cannot_act_for_end_users(bot: APIClient, alice: Actor, charlie: Actor) -> None:
    remember(bot, "priya", "Priya lives in Pune.")
    for client in (key_client_of(alice, "read", "write"), client_of(alice)):
        answer = client.get("/api/user-memory", headers=named("priya"))
        assert code(answer) == (403, "cannot_act_for_users")
    stranger = key_client_of(charlie, "read", "write", "act_for_users")
    remember(stranger, "priya", "Another Priya.")
    assert contents(stranger, "priya") == ["Another Priya."]


def test_a_key_that_only_reads_makes_nobody(alice: Actor) -> None:
    reader = key_client_of(alice, "read", "act_for_users")
    assert code(reader.get("/api/user-memory", headers=named("new"))) == (404, "end_user_not_found")
    assert not Membership.objects.filter(role="end_user").exists()


def test_a_key_that_manages_the_workspace_makes_keys_of_applications(alice: Actor) -> None:
    body = {"name": "bot", "scopes": ["read", "act_for_users"]}
    assert key_client_of(alice).post("/api/api-keys", body).status_code == 201
    assert key_client_of(alice, "read", "write").post("/api/api-keys", body).status_code == 403


def test_members_have_no_keys_that_act_for_end_users(bob: Actor) -> None:
    client = client_of(bob)
    answer = client.post("/api/api-keys", {"name": "bot", "scopes": ["read", "act_for_users"]})
    assert code(answer) == (403, "scope_exceeds_role")


@pytest.mark.parametrize(
    "path", ["members", "api-keys", "agents", "policy", "models", "embeddings", "invitations", "end-users", "usage"]
)
def test_an_end_user_sees_nothing_of_the_workspace(bot: APIClient, path: str) -> None:
    assert bot.get(f"/api/{path}", headers=named("priya")).status_code == 403


def test_end_users_are_no_members(bot: APIClient, alice: Actor) -> None:
    remember(bot, "priya", "Priya lives in Pune.")
    user_id = str(Membership.objects.get(role="end_user").user_id)
    members = client_of(alice).get("/api/members").json()["data"]
    assert [one["user_id"] for one in members] == [str(alice.user_id)]
    assert code(client_of(alice).delete(f"/api/members/{user_id}")) == (404, "not_found")
    assert code(bot.delete(f"/api/members/{user_id}", headers=named("priya"))) == (404, "not_found")
    assert client_of(alice).patch(f"/api/members/{alice.user_id}", {"role": "end_user"}).status_code == 400


def test_an_end_user_shares_with_nobody(bot: APIClient, bob: Actor) -> None:
    talk = bot.post("/api/conversations", {"title": "Mine"}, headers=named("priya")).json()["id"]
    body = {"email": "bob@example.org", "access": "read"}
    assert bot.post(f"/api/conversations/{talk}/shares", body, headers=named("priya")).status_code == 403


def test_a_live_ticket_of_an_end_user_is_theirs(bot: APIClient, alice: Actor) -> None:
    ticket = bot.post("/api/ws-ticket", {}, headers=named("priya")).json()["ticket"]
    credentials = credentials_of_ticket(ticket)
    assert credentials is not None
    assert credentials.actor.user_id == Membership.objects.get(role="end_user").user_id != alice.user_id


def test_a_list_of_end_users_is_searched_by_the_beginning_of_their_ids(bot: APIClient, alice: Actor) -> None:
    for who in ("eu-2", "us-1", "eu-1"):
        remember(bot, who, "Something.")
    assert end_user_ids(bot) == ["eu-1", "eu-2", "us-1"]
    assert end_user_ids(bot, external_id="eu-") == ["eu-1", "eu-2"]
    assert end_user_ids(client_of(alice)) == ["eu-1", "eu-2", "us-1"]


def test_a_key_that_only_reads_erases_nobody(bot: APIClient, alice: Actor) -> None:
    remember(bot, "priya", "Priya lives in Pune.")
    user_id = Membership.objects.get(role="end_user").user_id
    assert key_client_of(alice, "read", "act_for_users").delete(f"/api/end-users/{user_id}").status_code == 403
    assert contents(bot, "priya") == ["Priya lives in Pune."]


def test_an_erased_end_user_leaves_nothing(
    bot: APIClient, alice: Actor, settings: Settings, tmp_path: Path, django_capture_on_commit_callbacks: Any
) -> None:
    settings.CONTINUITY_HOME = tmp_path
    before = everything_stored()
    remember(bot, "priya", "Priya lives in Pune.")
    talk = bot.post("/api/conversations", {"title": "Order 5"}, headers=named("priya")).json()["id"]
    bot.post(
        f"/api/conversations/{talk}/messages",
        {"messages": [{"role": "user", "content": "I moved to Pune."}]},
        headers=named("priya"),
    )
    bot.post("/api/memories", {"uri": "mem://user/events/move", "content": "Moved to Pune."}, headers=named("priya"))
    bot.get(f"/api/conversations/{talk}/context?format=openai", headers=named("priya"))
    file = b'{"role": "user", "content": "Private."}\n'
    bot.generic("POST", "/api/imports", file, "application/x-ndjson", headers=named("priya"))
    assert list((tmp_path / "imports").iterdir())
    user_id = str(Membership.objects.get(role="end_user").user_id)
    with django_capture_on_commit_callbacks(execute=True):
        assert bot.delete(f"/api/end-users/{user_id}").status_code == 204
    assert not list((tmp_path / "imports").iterdir())
    after = everything_stored()
    # The account stays, empty and switched off.
    assert {table for table in after if after[table] != before[table]} <= {"jobs_duejob", "accounts_user"}
    assert not User.objects.get(pk=user_id).is_active
    with workspace(alice.workspace_id):
        assert not Conversation.objects.filter(pk=UUID(talk)).exists()
    assert code(bot.get(f"/api/end-users/{user_id}")) == (404, "not_found")
    remember(bot, "priya", "Anew.")
    assert contents(bot, "priya") == ["Anew."]
